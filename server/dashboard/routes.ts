import { Elysia } from 'elysia'
import { Dashboard } from '@kiraya/sdk/contract'
import { toSignInStatus } from '../accounts/auth/queries'
import type { Deps } from '../deps'
import { toIndianDate } from '../domain/dates'
import { refuse } from '../errors'
import type { Reader } from '../http/reads/reader'
import { readerRoutes } from '../http/routes'
import { getPeriod } from '../reports/summary'
import { selectDashboard } from './queries'
import examples from './examples.json'

export const dashboardRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Dashboard'], detail: { examples } }).use(
    readerRoutes(deps).get('/dashboard', ({ reader }) => loadDashboard(reader, deps.now()), {
      response: { 200: Dashboard },
      detail: {
        operationId: 'getDashboard',
        summary: 'Counts and recent activity',
        description:
          'Returns the counts and the twenty newest activities of a landlord. It needs a complete ' +
          'onboarding, else 403 with the next step in `details`.',
        reasons: ['onboarding_unfinished'],
      },
    }),
  )

/** @throws FORBIDDEN The user has not finished the onboarding; `details` has the next step. */
async function loadDashboard(reader: Reader, now: Date) {
  const dashboard = await reader.row(selectDashboard, getPeriod({}, toIndianDate(now)), 'user_not_found')
  const status = toSignInStatus(dashboard.user)
  if (status !== 'LOGIN_SUCCESSFUL')
    throw refuse('onboarding_unfinished', { status }, { details: { status } })
  return dashboard
}
