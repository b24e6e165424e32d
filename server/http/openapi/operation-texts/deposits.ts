/** The texts of the operations of deposits and rent revisions. */
export const depositTexts = {
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
      "disputes it. For the landlord's side only.",
  },
  'POST /agreements/{id}/deposit/settlement/accept': {
    id: 'acceptSettlement',
    description: 'Accepts the proposed settlement. For tenants of the agreement only.',
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
      "changed since the proposal: propose it again. For the landlord's side only.",
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
      "it. Less than three months' notice is a warning. For the landlord's side only.",
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
    description: 'Declines a proposed rent. For tenants of the agreement only.',
  },
  'POST /agreements/{id}/rent-revisions/{revisionId}/withdraw': {
    id: 'withdrawRentRevision',
    description:
      'Withdraws a proposed rent: a tenant can no longer accept it, and another rent may be proposed from its day ' +
      "on. 400 once it was accepted or declined. For the landlord's side only.",
  },
}
