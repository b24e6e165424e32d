import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { CheckOutcome, SandboxCheck } from '@kiraya/sdk/contract'
import { query } from '../../db/orm'
import { createRecordStore } from './record-store'
import type { SandboxCore } from './index'

const PERSON_MS = 200

/** `touched` is one that a person, or the control, has decided or will: it does not succeed by itself. */
export type KycCheck = {
  id: string
  status: 'CREATED' | 'KYC_REQUESTED' | 'SUCCESS' | 'ERROR'
  redirectUrl: string
  touched: boolean
  finishedAt: string | null
}

export const isCheckOpen = ({ status }: KycCheck) => status === 'CREATED' || status === 'KYC_REQUESTED'
const outcomes = { approve: 'SUCCESS', fail: 'ERROR' } as const satisfies Record<
  CheckOutcome,
  KycCheck['status']
>
export const isCheckOutcome = (text: string): text is CheckOutcome => Object.hasOwn(outcomes, text)

/** The identity checks that the sandbox has been asked for, and what people do with them. */
export const createKycChecks = ({
  deps,
  clock,
  faultRules: faults,
  scheduler: later,
  webhooks,
}: SandboxCore) => {
  const checks = createRecordStore<KycCheck>(deps.orm, 'ekyc')
  const finished = (check: KycCheck, outcome: CheckOutcome, at: string): KycCheck =>
    isCheckOpen(check) ? { ...check, status: outcomes[outcome], touched: true, finishedAt: at } : check
  const toView = ({ id, status }: KycCheck): SandboxCheck => ({
    id,
    status,
    url: `${deps.publicUrl()}/sandbox/verify/${id}`,
  })
  const tell = ({ id, status }: KycCheck) =>
    webhooks.send({
      provider: 'ekyc',
      path: '/webhooks/ekyc',
      body: JSON.stringify({ event: 'EKYC_DATA', data: { id, status } }),
      headers: {},
      about: [id],
    })

  later.on<{ id: string; outcome: CheckOutcome }>('settle', async ({ id, outcome }) => {
    const at = (await clock.now()).toISOString()
    const check = await checks.change(id, before => finished(before, outcome, at))
    if (check) await tell(check)
  })

  return {
    get: checks.get,
    toView,

    /** As it is to be read: one that nobody sits before succeeds when it is asked for, so that a script can do without a person. */
    read: async (id: string) => {
      const at = (await clock.now()).toISOString()
      return checks.change(id, check =>
        deps.config.SANDBOX_EKYC === 'auto' && !check.touched
          ? { ...check, status: 'SUCCESS', finishedAt: at }
          : check,
      )
    },

    create: async (redirectUrl: string) => {
      const now = await clock.now()
      const id = randomUUID()
      const fault = await faults.take('ekyc', 'create', 'outcome', [])
      const fresh: KycCheck = { id, status: 'CREATED', redirectUrl, touched: !!fault, finishedAt: null }
      const outcome = fault?.behaviour === 'succeed' ? 'approve' : 'fail'
      // Decided at once it is already so when the status is read; decided later, a person takes that long.
      await checks.add(
        id,
        fault && fault.delay_ms === null ? finished(fresh, outcome, now.toISOString()) : fresh,
        now,
      )
      if (fault) await later.add('settle', { id, outcome }, fault.delay_ms ?? PERSON_MS)
      return fresh
    },

    /** The person has opened the page. */
    view: (id: string) =>
      checks.change(id, check =>
        check.status === 'CREATED' ? { ...check, status: 'KYC_REQUESTED' } : check,
      ),

    /** What a person does on the page. Undefined where there is no such check; `was` open tells whether it counted. */
    applyOutcome: async (id: string, outcome: CheckOutcome) => {
      const at = (await clock.now()).toISOString()
      let counted = false
      const check = await checks.change(id, before => {
        counted = isCheckOpen(before)
        return finished(before, outcome, at)
      })
      if (check && counted) await tell(check)
      return check && { check, counted }
    },

    /** The newest that wait for a person. */
    open: async (most: number) => {
      const rows = await query(deps.orm)
        .selectFrom('sandbox_records')
        .where('kind', '=', 'ekyc')
        .where(sql<boolean>`data->>'status' in ('CREATED', 'KYC_REQUESTED')`)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(most)
        .select('data')
        .execute()
      return rows.map(({ data }) => toView(data as KycCheck))
    },
  }
}
export type KycChecks = ReturnType<typeof createKycChecks>
