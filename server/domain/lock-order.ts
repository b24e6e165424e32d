/**
 * The global order of locks: a transaction locks rows of these tables in this order, and rows of one table by their
 * ids, to avoid deadlocks. A `lock…` function excludes all others, a `share…` function lets them share the row.
 * The tests hold every transaction of their servers to it.
 */
export const LOCK_ORDER = [
  'properties',
  'property_units',
  'agreements',
  'maintenance_requests',
  'agreement_signatures',
  'users',
  'kyc_requests',
  'sandbox_records',
] as const
