/** The texts of the operations of charges and payments. */
export const bookTexts = {
  'GET /charges': {
    id: 'listCharges',
    description:
      "Lists what is owed under the caller's agreements, page by page. `pending=true` finds what is due today or " +
      'before, with something outstanding, of an ACTIVE or TERMINATED agreement; `type=rent&pending=true` is what ' +
      'the dashboard counts.',
  },
  'GET /charges/{id}': {
    id: 'getCharge',
    description:
      "Returns a charge of one of the caller's agreements. `amount` is the sum of what was paid, what was " +
      'credited and what is outstanding.',
  },
  'GET /agreements/{id}/schedule': {
    id: 'getSchedule',
    description:
      'Returns the instalments of the whole tenure, posted and projected, of a draft too. A projected one has no ' +
      '`charge_id`: it is posted seven days before it falls due. A month that was posted until the end of a ' +
      'tenure has a second instalment for its rest once the lease has renewed itself.',
  },
  'POST /agreements/{id}/charges': {
    id: 'createCharge',
    description:
      'Posts a charge that the schedule does not have, such as electricity or a damage. Nothing that is posted ' +
      "changes: credit it if it is wrong. For the landlord's side only.",
  },
  'POST /charges/{id}/credits': {
    id: 'createCredit',
    description:
      'Credits a part of a charge, or all of it. What was already paid becomes an advance of the lease. Only the ' +
      "landlord's side may.",
  },
  'GET /payments': {
    id: 'listPayments',
    description: "Lists the payments of the caller's agreements, page by page, whatever their status.",
  },
  'GET /payments/{id}': {
    id: 'getPayment',
    description:
      "Returns a payment of one of the caller's agreements, with the charges that it settles. What it does not " +
      'settle is an advance.',
  },
  'PATCH /payments/{id}': {
    id: 'updatePayment',
    description:
      'Keeps the number of the TDS certificate, which the tenant hands over after the payment, with a posted ' +
      'payment of which tax was withheld; null clears it. Nothing is posted, and the receipt shows the number. Only ' +
      "the landlord's side may.",
  },
  'POST /agreements/{id}/payments': {
    id: 'createPayment',
    description:
      "Records a payment. Of the landlord's side it is posted at once, a cheque once it is cleared; a tenant " +
      "reports it, and the landlord's side confirms. `allocations` say which charges it settles, else the oldest " +
      'are settled first. The same method and reference again are 400 unless `allow_duplicate` is sent.',
  },
  'POST /agreements/{id}/refunds': {
    id: 'createRefund',
    description:
      "Records that an advance was paid back, from the oldest payments first. For the landlord's side only.",
  },
  'POST /payments/{id}/confirm': {
    id: 'confirmPayment',
    description:
      'Posts a payment that a tenant reported: it gets a receipt number and settles its charges. A second ' +
      'confirmation is 400, and so is a method and reference that another payment of the landlord has, unless ' +
      "`allow_duplicate` is sent. For the landlord's side only.",
  },
  'POST /payments/{id}/reject': {
    id: 'rejectPayment',
    description: "Rejects a payment that a tenant reported; nothing is posted. For the landlord's side only.",
  },
  'POST /payments/{id}/clear': {
    id: 'clearPayment',
    description:
      'Posts a pending cheque that the bank has cleared. One that is dated after its entry is paid on its date: ' +
      "its receipt, late fees and postings have that day, and it cannot be cleared before. Only the landlord's " +
      'side may.',
  },
  'POST /payments/{id}/bounce': {
    id: 'bouncePayment',
    description:
      'Records that a cheque was not honoured. One that was cleared is reversed: its charges are open again, and ' +
      "its receipt number is never used again. `charge_amount` charges the tenants for it. Only the landlord's " +
      'side may.',
  },
  'POST /payments/{id}/reverse': {
    id: 'reversePayment',
    description:
      'Takes a posted payment back by a further posting: its charges are open again. 400 if a part of it was ' +
      "refunded. For the landlord's side only.",
  },
  'PUT /payments/{id}/allocations': {
    id: 'allocatePayment',
    description:
      'Makes a posted payment settle these charges instead of those that it settles; the rest of it is an ' +
      "advance. For the landlord's side only.",
  },
}
