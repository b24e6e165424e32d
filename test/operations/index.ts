import { account, leaving, verification } from './account'
import { agreements, renewals } from './agreements'
import { books } from './books'
import { charges } from './charges'
import { deposits } from './deposits'
import { imports } from './imports'
import { maintenance } from './maintenance'
import { operators } from './operators'
import { payments } from './payments'
import { properties } from './properties'
import { rentRevisions } from './rent-revisions'
import type { OperationRows } from './row'
import { pages, sandbox } from './sandbox'
import { tenants } from './tenants'
import { units } from './units'

/** Every route, in an order in which all examples succeed. */
export const operations: OperationRows = {
  ...account,
  ...sandbox,
  ...operators,
  ...verification,
  ...properties,
  ...units,
  ...tenants,
  ...agreements,
  ...charges,
  ...payments,
  ...books,
  ...deposits,
  ...rentRevisions,
  ...renewals,
  ...maintenance,
  ...imports,
  ...leaving,
  ...pages,
}
