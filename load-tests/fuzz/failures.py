"""Failures of schemathesis that are none, each with its reason; every other one fails the run."""

import json

import schemathesis

# A request that fits its schema is refused by a rule that JSON Schema cannot say, or not so that its readers know it.
# What a schema can say (TOO_LONG, TOO_BIG, BAD_FORMAT, NO_SUCH_VALUE and the like) is a fault of the document.
RULES = {
    "ADDRESS_REFUSED": "an address that is not public",
    "AGES_DISAGREE": "a list and a count of the same children",
    "BAD_KEY": "a class of Unicode, in the name of a member",
    "CONTRADICTION": "a field that another one excludes",
    "CONTROL_CHARACTER": "a class of Unicode, which patterns of OpenAPI programs know differently",
    "CURRENCY_NOT_SUPPORTED": "a list that lives: ISO 4217",
    "DUPLICATE": "a list that names one key twice",
    "EXCLUDED": "a field that another one excludes, or that of the path",
    "INVALID": "a currency in use, a time zone, text that PostgreSQL can store, one of several fields",
    "INVISIBLE": "a class of Unicode",
    "IN_THE_FUTURE": "the time of the property",
    "IN_THE_PAST": "the day of the property",
    "MISSING": "a field that another one needs; those that are always needed stand in `required`",
    "MORE": "the count of further errors of the codes before it",
    "NIGHTS_DISAGREE": "a flag and two days",
    "NO_SUCH_DATE": "a day or a moment, in one field",
    "NO_EFFECT": "a field that another one makes pointless",
    "NO_PAYER": "what is stored",
    "NOT_OURS": "a cursor of an earlier answer",
    "NOT_RECOMMENDED": "what is stored",
    "OF_PARENT": "what is stored: a derived plan",
    "OTHER_CURRENCY": "the currency of the property",
    "OTHER_STRATEGY": "a field that another one selects",
    "OUT_OF_RANGE": "moments before 1970 and after 9999, which `date-time` has",
    "OUTSIDE": "a day outside of a period of the same body",
    "OUTSIDE_VALIDITY": "a day outside of a period of the same body",
    "OVERLAPS": "two periods of a list",
    "REVERSED": "an end before its start",
    "TOO_EXPENSIVE": "the sum of stored prices",
    "TOO_MANY": "what is stored, or a bound that depends on the media type",
    "TOO_MANY_DAYS": "the distance of two days",
    "TOO_MANY_NIGHTS": "the distance of two days",
    "TOO_PRECISE": "two decimals: by `multipleOf: 0.01` programs that divide binary fractions refuse right amounts",
    "TWICE": "a list that names one key twice",
    "UNKNOWN": "a value that another field selects",
    "ZERO_NIGHTS": "the distance of two days",
}
# The state of a resource; another version than that of `If-Match`; a rule of the property, or a key of another request.
REFUSED = {409, 412, 422}
# A bound of another field, or what is stored, has the code of a bound of the schema: these say so by their text.
# A property must be named where the tenant has several; columns stand in the text of a file.
BOUNDS_OF_OTHERS = (
    "is more than 100 percent",
    "is no column; there are ",
    "leaves no day of a block",
    "has at most 98 characters with several rooms",
    "name the property",
)


REPORTS = ("/rooming-list", "/rates/quotes")


@schemathesis.hook
def filter_failure(context, failure, case, response):
    kind = type(failure).__name__
    if kind == "RejectedPositiveData":
        return not is_by_rule(case, response)
    if kind == "AcceptedNegativeData":
        # A body of `null` is none, as a member of `null` is absent.
        if case.body is None and response.status_code < 300:
            return False
        # A dry run of a rooming list and many quotes at once say in an answer with 200 which of them are wrong.
        return not (response.status_code == 200 and case.path.endswith(REPORTS) and names_wrong(response.json()))
    return True


def names_wrong(report):
    return bool(report.get("lines")) or any("problem" in item for item in report.get("items", []))


def is_by_rule(case, response):
    if response.status_code in REFUSED:
        return True
    try:
        errors = response.json().get("errors") or []
    except ValueError:
        return False
    return bool(errors) and all(
        error["code"] in RULES or error["detail"].startswith(BOUNDS_OF_OTHERS) or is_blank(case, error)
        for error in errors
    )


def is_blank(case, error):
    """A text of white space is empty once it is trimmed. One that was sent empty is a fault of the document."""
    return error["detail"] == "must not be empty" and '""' not in json.dumps(case.body, default=str)
