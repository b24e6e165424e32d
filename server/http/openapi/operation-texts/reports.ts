/** The texts of the operations of statements, receipts and the landlord's reports. */
export const reportTexts = {
  'GET /agreements/{id}/statement': {
    id: 'getStatement',
    description:
      "Returns the tenants' account: what became due, what was paid, and the balance after each. A balance is " +
      'what they owe, below zero an advance. Send `year` (April to March), or `from` and `to`; without them it ' +
      'is the whole account, with what is posted ahead of its day.',
  },
  'GET /agreements/{id}/statement/pdf': {
    id: 'downloadStatement',
    description: 'Downloads the same account as a PDF, of at most 2,000 lines.',
  },
  'GET /payments/{id}/receipt': {
    id: 'downloadReceipt',
    description:
      'Downloads the receipt of a payment that was posted. One that was taken back since is marked as cancelled. ' +
      'Its QR code leads to a page that says whether the receipt is valid, and nothing else.',
  },
  'GET /agreements/{id}/rent-proof': {
    id: 'downloadRentProof',
    description:
      "Downloads what one tenant paid of a year's rent, for their employer. A tenant gets their own; the " +
      "landlord's side names one of several tenants by `payer_id`. The year is the present one unless it is given.",
  },
  'GET /books/summary': {
    id: 'getBookSummary',
    description:
      'Sums up the books of the leases that the caller lets or manages: what fell due and was received in a ' +
      'period, month by month, and what the ledgers hold now. The period is the present month unless it is given.',
  },
  'GET /books/rent-roll': {
    id: 'getRentRoll',
    description:
      'Lists the units that the caller lets or manages, each with its lease of the month, its tenants, and what ' +
      'was charged and paid; deposits are left out. A unit with two leases in the month has two rows.',
  },
  'GET /books/arrears': {
    id: 'getArrears',
    description:
      'Lists the leases with something outstanding that is due, in four ages: 0 to 30, 31 to 60, 61 to 90 and ' +
      'more days after the due date.',
  },
  'GET /books/annual': {
    id: 'getAnnualBooks',
    description:
      'Sums up, for each unit, what was received in a year from April to March, the tax that was withheld, and ' +
      'the deposits that were held on its last day, or today in a year that is not over. The year is the present ' +
      'one unless it is given; `format=pdf` downloads it, with at most 2,000 lines.',
  },
  'GET /agreements/{id}/tds': {
    id: 'getTds',
    description:
      'Suggests the tax that the tenants deduct from the rent of a year from April to March: nothing unless a ' +
      "month's rent is above the threshold, else once, from the last rent of the year or of the tenancy. The " +
      'year is the present one unless it is given. The tenant decides.',
  },
}
