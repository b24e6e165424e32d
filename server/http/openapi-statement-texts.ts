/** The id and the description of each operation of the documents of the books. */
export const statementTexts = {
  'GET /agreements/{id}/statement': {
    id: 'getStatement',
    description:
      "Returns the tenants' account: what became due, what was paid, and the balance after each. A balance is " +
      'what they owe, below zero an advance. Send `year` (April to March), or `from` and `to`; without them it ' +
      'is the whole account, with what is posted ahead of its day.',
  },
  'GET /agreements/{id}/statement/pdf': {
    id: 'downloadStatement',
    description: 'Downloads the same account as a PDF, of at most 2,000 entries.',
  },
  'GET /payments/{id}/receipt': {
    id: 'downloadReceipt',
    description:
      'Downloads the receipt of a payment that was posted. One that was taken back since is marked as cancelled. ' +
      'Its QR code leads to a page that says whether the receipt stands, and nothing else.',
  },
  'GET /agreements/{id}/rent-proof': {
    id: 'downloadRentProof',
    description:
      "Downloads what one tenant paid of a year's rent, for their employer. A tenant gets their own; the " +
      "landlord's side names one of several tenants by `payer_id`. The year is the present one unless it is given.",
  },
}
