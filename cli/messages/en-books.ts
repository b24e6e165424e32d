/** What the commands of the landlord's books say. */
export const enBooks = {
  accept_rent: ({ name }: { name: string }) => `Accept the new rent ${name}, for good`,
  advice_money_held:
    'Pay it back first: {command} deposit settle <agreement>, {command} payment refund <agreement>',
  advice_receipt: 'See its status: {command} payment get <payment>',
  advice_revisions: 'Find its id with: {command} rent-revision list <agreement>',
  advice_settlement: 'Propose one: {command} deposit settle <agreement>',
  bounce_payment: ({ name }: { name: string }) =>
    `Record that the cheque of payment ${name} bounced, for good`,
  must_be_allocation: 'must be the id of a charge, a colon and rupees, as 31:5000',
  must_be_item: 'must be a type, rupees and a description, as "maintenance:2500:Society maintenance"',
  post_settlement: ({ name }: { name: string }) => `Settle the deposit of ${name}, for good`,
  received_total: ({ amount, count }: { amount: string; count: number }) =>
    `Received: ${amount}, in ${count} posted ${count === 1 ? 'payment' : 'payments'}`,
  reverse_payment: ({ name }: { name: string }) => `Reverse payment ${name} and cancel its receipt, for good`,
  total: 'Total',
  vacant: 'vacant',
  warning: ({ message }: { message: string }) => `Warning: ${message}`,
  year_invalid: ({ year }: { year: string }) =>
    `--year must be a year from April to March, such as 2026-27; it is ${year}`,
  year_with_days: '--year stands for --from and --to: give one or the other',
}
