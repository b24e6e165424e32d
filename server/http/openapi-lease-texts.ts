/** The id and the description of each operation of deposits, revisions, renewals and the landlord's reports. */
export const leaseTexts = {
  'GET /agreements/{id}/deposit': {
    id: 'getDeposit',
    description:
      'Returns what was agreed as a deposit, what the landlord holds of it, and how it was or is to be settled.',
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
    description: 'Accepts the proposed settlement. Any tenant of the agreement may, and nobody else.',
  },
  'POST /agreements/{id}/deposit/settlement/dispute': {
    id: 'disputeSettlement',
    description:
      'Disputes the proposed settlement. The reason stays on record, also once the landlord posts it. Any tenant ' +
      'of the agreement may, and nobody else.',
  },
  'POST /agreements/{id}/deposit/settlement/post': {
    id: 'postSettlement',
    description:
      'Posts a settlement that was accepted or disputed: deductions become charges, the deposit settles what is ' +
      'owed and the rest is refunded. Deductions above the deposit stay owed. 400 if what is held or open has ' +
      "changed since the proposal: propose it again. Only the landlord's side may.",
  },
}
