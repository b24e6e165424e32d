/** What narrows lists of charges and payments. */
export const bookFilters = {
  agreement_id: { kind: 'agreement', alias: 'agreement', description: 'id or agreement number' },
  property_unit_id: {
    kind: 'unit',
    alias: 'unit',
    description: 'id, or property and name as "White House/A-101"',
  },
  from: { kind: 'text', description: 'YYYY-MM-DD, the first day' },
  to: { kind: 'text', description: 'YYYY-MM-DD, the last day' },
} as const
