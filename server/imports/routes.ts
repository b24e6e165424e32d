import { Elysia } from 'elysia'
import {
  LeaseImport,
  LeaseImportResponse,
  PaymentImport,
  PaymentImportResponse,
  type ErrorReason,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { actorRoutes } from '../http/routes'
import { runImport } from './import'
import { importLeases } from './leases'
import { importPayments } from './payments'
import examples from './examples.json'

const IMPORT: ErrorReason[] = ['not_landlord', 'too_many_changes']

/** What landlords bring from elsewhere: each import is one transaction. */
export const importRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/imports', tags: ['Imports'], detail: { examples } }).use(
    actorRoutes(deps)
      .post(
        '/leases',
        ({ actor, body, change }) => runImport(deps, actor, body, () => change(importLeases, body)),
        {
          body: LeaseImport,
          response: { 200: LeaseImportResponse },
          detail: {
            operationId: 'importLeases',
            summary: 'Import leases with their properties, units and tenants',
            description:
              'Imports up to 500 leases, all of them or none. Properties and units that the landlord has are found by ' +
              'their names and stay as they are. A repetition finds a lease by its `external_ref`: of a draft it ' +
              "changes what the row gives, of another lease the tenants' names and the notes alone, and another " +
              'difference is refused. The body may have 4 MiB.',
            reasons: [...IMPORT, 'tenants_declined', 'tenants_erased', 'too_many_people'],
          },
        },
      )
      .post(
        '/payments',
        ({ actor, body, change }) => runImport(deps, actor, body, () => change(importPayments, body)),
        {
          body: PaymentImport,
          response: { 200: PaymentImportResponse },
          detail: {
            operationId: 'importPayments',
            summary: 'Import payments',
            description:
              'Records up to 500 payments, all of them or none; a cheque counts as cleared. A repetition finds a ' +
              'payment by its `external_ref` and keeps it. What a lease was paid before its books is in its opening.',
            reasons: [...IMPORT, 'too_many_postings'],
          },
        },
      ),
  )
