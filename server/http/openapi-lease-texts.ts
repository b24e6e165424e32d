/** The id and the description of each operation of deposits, revisions, renewals and the landlord's reports. */
export const leaseTexts = {
  'GET /agreements/{id}/deposit': {
    id: 'getDeposit',
    description:
      'Returns what was agreed as a deposit, what the landlord holds of it, and how it was or is to be settled.',
  },
  'GET /agreements/{id}/deposit/settlement/pdf': {
    id: 'downloadSettlement',
    description:
      'Downloads the settlement of the deposit as a PDF: what is held, open and deducted, the refund, and who ' +
      'proposed, accepted, disputed and posted it on which day. One that is only proposed is marked as that.',
  },
  'POST /agreements/{id}/deposit/settlement': {
    id: 'proposeSettlement',
    description:
      'Proposes how to settle the deposit of a TERMINATED agreement: open charges and `deductions` are taken from ' +
      'it, and the rest is refunded. It replaces a proposal that is not posted yet; a tenant then accepts or ' +
      "disputes it. Only the landlord's side may.",
  },
  'POST /agreements/{id}/deposit/settlement/accept': {
    id: 'acceptSettlement',
    description: 'Accepts the proposed settlement. Only a tenant of the agreement may.',
  },
  'POST /agreements/{id}/deposit/settlement/dispute': {
    id: 'disputeSettlement',
    description:
      'Disputes the proposed settlement. The reason stays on record, also once the landlord posts it. Only a ' +
      'tenant of the agreement may.',
  },
  'POST /agreements/{id}/deposit/settlement/post': {
    id: 'postSettlement',
    description:
      'Posts a settlement that was accepted or disputed: deductions become charges, the deposit settles what is ' +
      'owed and the rest is refunded. Deductions above the deposit stay owed. 400 if what is held or open has ' +
      "changed since the proposal: propose it again. Only the landlord's side may.",
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
      'one unless it is given; `format=pdf` downloads it.',
  },
  'GET /agreements/{id}/tds': {
    id: 'getTds',
    description:
      'Suggests the tax that the tenants deduct from the rent of a year from April to March: nothing unless a ' +
      "month's rent is above the threshold, else once, from the last rent of the year or of the tenancy. The " +
      'year is the present one unless it is given. The tenant decides.',
  },
  'GET /agreements/{id}/rent-revisions': {
    id: 'listRentRevisions',
    description:
      'Lists the rents of a lease after the first, page by page: by escalation, and as the landlord proposed them.',
  },
  'POST /agreements/{id}/rent-revisions': {
    id: 'proposeRentRevision',
    description:
      'Proposes another rent of an ACTIVE agreement, from a day on that is not past. A tenant accepts or declines ' +
      "it. Less than three months' notice is a warning. Only the landlord's side may.",
  },
  'POST /agreements/{id}/rent-revisions/{revisionId}/accept': {
    id: 'acceptRentRevision',
    description:
      'Accepts a proposed rent: the schedule has it from its day on, and later escalations raise it. What is ' +
      'already posted of a period that reaches that day is corrected by a credit or a further charge. Only a ' +
      'tenant of the agreement may.',
  },
  'POST /agreements/{id}/rent-revisions/{revisionId}/decline': {
    id: 'declineRentRevision',
    description: 'Declines a proposed rent. Only a tenant of the agreement may.',
  },
  'POST /agreements/{id}/rent-revisions/{revisionId}/withdraw': {
    id: 'withdrawRentRevision',
    description:
      'Withdraws a proposed rent: a tenant can no longer accept it, and another rent may be proposed from its day ' +
      "on. 400 once it was accepted or declined. Only the landlord's side may.",
  },
  'POST /agreements/{id}/renew': {
    id: 'renewAgreement',
    description:
      'Draws up the next term of a lease as a draft with the same terms but what the body changes. It begins on ' +
      'the day after the end, with the rent that the lease would have then: an escalation that falls on that day ' +
      'is applied. When it becomes active, the deposit that is held moves over and only the difference is ' +
      "charged. Only the landlord's side may.",
  },
}
