import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import type { ImportKind } from './mapping.ts';

/** A text without case, accents and signs: `Gästename ` and `gaeste-name` differ only where letters do. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const wordsOf = (text: string): string[] => text.split(' ').map(plainWord);

/**
 * What systems call the fields of each kind, in English, German, French, Spanish and Portuguese, the surest first. A
 * column is of the field that is named first here, so that `name` of a guest comes behind `Nachname`.
 */
export const FIELD_WORDS: Readonly<Record<ImportKind, Readonly<Record<string, readonly string[]>>>> = {
  reservations: {
    externalId: wordsOf(
      'bookingNumber bookingNo bookingId bookingReference bookingRef reservationNumber reservationNo reservationId resNo resId confirmationNumber confirmationNo externalId Buchungsnummer BuchungsNr Reservierungsnummer ReservierungsNr NumeroReservation NumeroDeReservation NumeroReserva NumeroDeReserva CodigoReserva CodigoDeReserva Localizador booking reservation id no number reference',
    ),
    status: wordsOf(
      'reservationStatus bookingStatus status state Buchungsstatus Reservierungsstatus Zustand statut etat estado situacao',
    ),
    checkIn: wordsOf(
      'checkIn checkInDate arrival arrivalDate dateOfArrival from startDate Anreise Anreisedatum Ankunft Ankunftsdatum arrivee dateArrivee dateDArrivee llegada fechaLlegada fechaDeLlegada entrada fechaEntrada dataEntrada chegada dataChegada dataDeChegada',
    ),
    checkOut: wordsOf(
      'checkOut checkOutDate departure departureDate dateOfDeparture to until endDate Abreise Abreisedatum depart dateDepart dateDeDepart salida fechaSalida fechaDeSalida saida dataSaida dataDeSaida partida',
    ),
    nights: wordsOf('nights numberOfNights noOfNights lengthOfStay los Nächte AnzahlNächte nuits noches noites'),
    roomType: wordsOf(
      'roomType roomTypeCode reservedRoomType roomCategory category Zimmertyp Zimmerkategorie Kategorie typeDeChambre typeChambre categorie tipoDeHabitacion tipoHabitacion tipoDeQuarto tipoQuarto categoria type',
    ),
    rateCode: wordsOf('rateCode ratePlan ratePlanCode plan Tarifcode Tarif codeTarif tarifa planTarifario'),
    guest: wordsOf('guestId profileId customerId GastId Gastnummer clientId idCliente idHospede idHuesped'),
    firstName: wordsOf('firstName guestFirstName givenName Vorname prenom nombre'),
    lastName: wordsOf(
      'lastName guestLastName surname familyName guestName mainGuest Nachname Familienname Gastname Gast nomDeFamille nom apellidos apellido huesped sobrenome apelido hospede guest name customer customerName nome',
    ),
    email: wordsOf('email emailAddress guestEmail mail EMailAdresse courriel adresseEmail correo correoElectronico'),
    phone: wordsOf(
      'phone phoneNumber telephone mobile tel Telefon Telefonnummer Handy telefono movil telefone telemovel',
    ),
    totalAmount: wordsOf(
      'totalAmount totalPrice grandTotal total amount price Gesamtpreis Gesamtbetrag Betrag Summe Preis montantTotal prixTotal montant prix importeTotal precioTotal importe precio valorTotal precoTotal valor preco',
    ),
    nightlyRate: wordsOf(
      'nightlyRate roomRate rateAmount averageRate adr pricePerNight rate PreisProNacht Zimmerpreis prixParNuit precioPorNoche precoPorNoite diaria',
    ),
    taxAmount: wordsOf(
      'taxAmount taxes tax vat Steuerbetrag Steuern Steuer taxe impuestos impuesto impostos imposto',
    ),
    retainedAmount: wordsOf('cancellationFee cancellationCharge retainedAmount Stornogebühr Stornokosten penalite'),
    paidAmount: wordsOf(
      'paidAmount amountPaid paid totalPaid payments deposit Bezahlt Anzahlung montantPaye paye acompte pagado importePagado anticipo pago valorPago',
    ),
    paymentMethod: wordsOf(
      'paymentMethod methodOfPayment paymentType Zahlungsart modeDePaiement formaDePago formaDePagamento',
    ),
    paymentDate: wordsOf('paymentDate paidOn paidAt Zahlungsdatum datePaiement fechaDePago dataDePagamento'),
    bookedAt: wordsOf(
      'bookedAt bookedOn bookingDate createdAt createdOn created creationDate reservationDate Buchungsdatum GebuchtAm ErstelltAm dateDeReservation dateReservation fechaDeReserva fechaReserva fechaCreacion dataDaReserva dataReserva',
    ),
    leadDays: wordsOf('leadDays leadTime bookingWindow'),
    cancelledAt: wordsOf(
      'cancelledAt canceledAt cancelledOn cancellationDate StorniertAm Stornodatum dateAnnulation fechaCancelacion dataCancelamento',
    ),
    arrivedAt: wordsOf('arrivedAt checkedInAt actualArrival'),
    departedAt: wordsOf('departedAt checkedOutAt actualDeparture'),
    roomNumber: wordsOf(
      'roomNumber roomNo room Zimmernummer ZimmerNr Zimmer numeroDeChambre chambre numeroHabitacion habitacion numeroDoQuarto quarto',
    ),
    adults: wordsOf('adults adult numberOfAdults noOfAdults Erwachsene adultes adultos'),
    children: wordsOf('children child kids numberOfChildren Kinder enfants niños crianças'),
    channel: wordsOf(
      'channel bookingChannel source bookingSource marketSegment Kanal Quelle canal origine origen origem',
    ),
    specialRequests: wordsOf(
      'specialRequests remarks comments comment notes note Bemerkungen Bemerkung Notiz remarques commentaires observaciones notas observacoes',
    ),
  },
  rooms: {
    roomNumber: wordsOf(
      'roomNumber roomNo number room no Zimmernummer ZimmerNr Zimmer numero chambre habitacion quarto',
    ),
    roomType: wordsOf('roomType roomTypeCode category type code Zimmertyp Kategorie categorie tipo categoria'),
    floor: wordsOf('floor level Etage Stockwerk piso andar planta'),
    typeName: wordsOf('typeName categoryName roomTypeName description Bezeichnung designation descripcion descricao'),
    maxAdults: wordsOf('maxAdults capacity beds persons Betten Personen personnes personas pessoas'),
    maxChildren: wordsOf('maxChildren'),
  },
  plans: {
    code: wordsOf('code rateCode planCode ratePlan plan id Tarifcode Tarif tarifa'),
    name: wordsOf('name title planName description Bezeichnung nom nombre nome'),
    baseRate: wordsOf('baseRate rate price Preis prix precio preco'),
    adjustmentPercent: wordsOf('adjustmentPercent discountPercent percent'),
    cancellationPolicy: wordsOf('cancellationPolicy'),
  },
  guests: {
    externalId: wordsOf('externalId guestId profileId customerId id number no Gastnummer GastId numero'),
    firstName: wordsOf('firstName givenName first Vorname prenom nombre'),
    lastName: wordsOf(
      'lastName surname familyName last Nachname Familienname nomDeFamille nom apellidos apellido sobrenome apelido name',
    ),
    email: wordsOf('email emailAddress mail courriel correo'),
    phone: wordsOf('phone phoneNumber telephone mobile tel Telefon telefono telefone'),
  },
  payments: {
    reservation: wordsOf(
      'reservation reservationId reservationNumber reservationNo bookingId bookingNumber bookingNo booking Buchungsnummer Reservierungsnummer reserva of',
    ),
    amount: wordsOf('amount sum total value Betrag Summe montant importe valor'),
    externalId: wordsOf('paymentId transactionId receiptNo externalId id Belegnummer'),
    method: wordsOf('method paymentMethod type how Zahlungsart mode forma'),
    date: wordsOf('date paidAt paidOn paymentDate postedAt Datum fecha data'),
    reference: wordsOf('reference transactionId receipt Beleg referencia'),
  },
};

/** What systems call states of a reservation. */
export const STATUS_WORDS: Readonly<Record<ReservationStatus, readonly string[]>> = {
  PENDING: wordsOf(
    'pending tentative option optional provisional waitlist request offen ausstehend enAttente pendiente pendente opcional',
  ),
  CONFIRMED: wordsOf(
    'confirmed ok booked reserved reservation guaranteed definite def new modified active bestätigt gebucht garantiert fest confirme confirmee confirmada confirmado reservada reservado',
  ),
  CHECKED_IN: wordsOf(
    'checkedIn checkIn inHouse arrived occupied eingecheckt imHaus anwesend present enCasa alojado hospedado',
  ),
  CHECKED_OUT: wordsOf(
    'checkedOut checkOut departed completed complete finished stayed closed ausgecheckt abgereist parti salido finalizada finalizado concluida concluido',
  ),
  CANCELLED: wordsOf('cancelled canceled xx cxl cnl can storniert storno annule annulee cancelada cancelado anulada'),
  NO_SHOW: wordsOf('noShow ns nichtErschienen nonPresente nonPresentation noPresentado naoCompareceu'),
};

/** What systems call channels, and how our reports name them. */
export const CHANNEL_WORDS: Readonly<Record<string, readonly string[]>> = {
  DIRECT: wordsOf('direct direkt walkIn walkin phone telephone telefon email website directo direto'),
  OTA: wordsOf('ota onlineTa onlineTravelAgency offlineTa/To travelAgency bookingCom expedia airbnb agoda hrs'),
  CORPORATE: wordsOf('corporate company business firma entreprise empresa'),
};

/** What systems call ways to pay. */
export const METHOD_WORDS: Readonly<Record<string, readonly string[]>> = {
  CREDIT_CARD: wordsOf(
    'creditCard card visa mastercard amex americanExpress kreditkarte karte carte carteBancaire tarjeta cartao',
  ),
  CASH: wordsOf('cash bar bargeld especes liquide efectivo dinheiro numerario'),
  BANK_TRANSFER: wordsOf('bankTransfer transfer wire invoice überweisung rechnung virement transferencia'),
};

/** The entry of a table that a text belongs to. */
export function knownBy<T extends string>(
  table: Readonly<Record<T, readonly string[]>>,
  text: string,
): T | undefined {
  const word = plainWord(text);
  return (Object.keys(table) as T[]).find((key) => plainWord(key) === word || table[key].includes(word));
}
