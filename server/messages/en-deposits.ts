/** What may be wrong with the settlement of a deposit; the sentences of the first group follow the name of a field. */
export const depositsInEnglish = {
  deposit_after_lease: 'must not be deposit: the lease has ended',
  revision_exists: ({ date }: { date: string }) => `must not be ${date}: there is a rent from that day`,
  revision_outside_lease: ({ from, to }: { from: string; to: string }) => `must be from ${from} to ${to}`,
  refund_method_missing: 'is required: a part of the deposit is refunded',

  deposit_not_held: 'There is nothing to settle: no deposit is held',
  deposit_settled: 'This deposit was settled, or moved to the next lease: post a charge instead',
  already_renewed: ({ agreement }: { agreement: string }) =>
    `The next term is drawn up already: ${agreement}`,
  revision_decided: ({ status }: { status: string }) => `This rent was ${status} already`,
  money_held: ({ deposit, advance }: { deposit: number; advance: number }) =>
    `A deposit of ${deposit} and an advance of ${advance} are held: settle the deposit and refund the advance first`,
  payments_undecided: ({ payments }: { payments: number[] }) =>
    `Payments are still reported or pending: confirm, clear or refuse them first (${payments.join(', ')})`,
  settlement_outdated: (now: { held_amount: number; open_rent: number; refund_amount: number }) =>
    `Propose the settlement again: ${now.held_amount} is held and ${now.open_rent} is open now, so the refund is ${now.refund_amount}`,
  settlement_replaced: ({ refund_amount }: { refund_amount: number }) =>
    `The proposal was replaced; its refund is ${refund_amount} now. Read it, and name it by settlement_id`,
  settlement_wrong_status: ({ status, to_be }: { status: string; to_be: string }) =>
    `A settlement that is ${status} cannot be ${to_be}`,

  revision_not_found: 'Revision of the rent not found',
  not_tenant: 'Only a tenant of the agreement can do this',
  settlement_not_found: 'No settlement of the deposit was proposed',
}
