import type { BillableCompany } from './companies.ts';
import { companyMessages as words } from './messages.ts';

type Props = {
  companies: readonly BillableCompany[];
  companyId: string;
  onChoose: (companyId: string) => void;
};

/** The company that is invoiced, which must be chosen. */
export function CompanyField({ companies, companyId, onChoose }: Props) {
  return (
    <label class="field">
      {words.company}
      <select required value={companyId} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="" disabled>
          {words.choose}
        </option>
        {companies.map((company) => (
          <option key={company.companyId} value={company.companyId}>
            {company.name}
          </option>
        ))}
      </select>
    </label>
  );
}
