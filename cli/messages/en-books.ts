/** What the commands of the landlord's books say. */
export const enBooks = {
  bounce_payment: ({ name }: { name: string }) =>
    `Record that the cheque of payment ${name} bounced, for good`,
  must_be_allocation: 'must be the id of a charge, a colon and rupees, as 31:5000',
  must_be_recurring: 'must be a type, rupees and a description, as "maintenance:2500:Society maintenance"',
  reverse_payment: ({ name }: { name: string }) => `Reverse payment ${name} and cancel its receipt, for good`,
}
