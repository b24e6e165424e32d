import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import { NewSandboxFault, type SandboxClockChange } from '@kiraya/sdk/contract'
import { Fault, refuseFields, rethrowFaultOr } from '../../faults'
import { hasControlAccess, moveClock } from '../control'
import type { SandboxCore } from '../core'
import { controlDeskPage, type FormValues } from './control-desk'
import { deskPage } from './desk-layout'
import { notice, paragraph } from '../../pages/elements'
import { inboxPage } from './inbox'
import { page } from '../../pages/layout'
import { overviewPage } from './overview'

/** What a form did; shown after the redirect. */
const results = {
  added: 'Fault rule added.',
  removed: 'Fault rule removed.',
  cleared: 'All fault rules cleared.',
  moved: 'Clock moved.',
}
type Result = keyof typeof results
const isResult = (text: string): text is Result => Object.hasOwn(results, text)

/** Forms are parsed by their routes. */
const unparsed = { parse: 'none' } as const

/** The pages for QA: overview, control and inbox. */
export const deskRoutes = (sandbox: SandboxCore) =>
  new Elysia({ prefix: '/sandbox' })
    .onBeforeHandle(({ request }) => {
      if (!hasControlAccess(sandbox.deps, request, true)) return signInPage()
    })
    .get('', () => overviewPage(sandbox))
    .get('/faults', ({ query: { done = '' } }) =>
      controlDeskPage(sandbox, isResult(done) && notice(results[done])),
    )
    .use(formRoutes(sandbox))
    .use(sandbox.deps.config.sandbox.messages ? inboxRoutes(sandbox) : new Elysia())

const inboxRoutes = ({ deps }: SandboxCore) =>
  new Elysia().get('/inbox', ({ query }) => inboxPage(deps, query.phone?.trim() ?? ''))

const formRoutes = (sandbox: SandboxCore) =>
  new Elysia()
    .post('/faults', ({ request }) => handleForm(sandbox, request, addRule), unparsed)
    .post('/faults/clear', ({ request }) => handleForm(sandbox, request, clearRules), unparsed)
    .post(
      '/faults/:id/remove',
      ({ request, params }) =>
        handleForm(sandbox, request, async () => {
          await sandbox.faultRules.remove(params.id)
          return 'removed'
        }),
      unparsed,
    )
    .post('/clock', ({ request }) => handleForm(sandbox, request, changeClock), unparsed)

type FormAction = (sandbox: SandboxCore, values: FormValues) => Promise<Result>

const addRule: FormAction = async (sandbox, values) => {
  await sandbox.faultRules.add(parseRule(values))
  return 'added'
}

const clearRules: FormAction = async sandbox => {
  await sandbox.faultRules.clear()
  return 'cleared'
}

const changeClock: FormAction = async (sandbox, values) => {
  await moveClock(sandbox, parseClockChange(values))
  return 'moved'
}

/** Redirects after success; shows an error above the form, which keeps its values. */
async function handleForm(sandbox: SandboxCore, request: Request, action: FormAction) {
  if (!isFromOwnPage(sandbox, request)) return foreignFormPage(sandbox)
  const values = await readForm(request)
  try {
    const result = await action(sandbox, values)
    return new Response(null, { status: 303, headers: { location: `/sandbox/faults?done=${result}` } })
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500) throw error
    return controlDeskPage(sandbox, notice(error.message, 'bad'), values, error.status)
  }
}

/** Browsers send Sec-Fetch-Site only over https and to localhost. What sends no origin either is not a browser. */
function isFromOwnPage({ deps }: SandboxCore, { headers, url }: Request) {
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin' || site === 'none'
  const origin = headers.get('origin') ?? headers.get('referer')
  if (origin === null) return true
  const ownHosts = [url, deps.publicUrl()].map(address => new URL(address).host)
  return ownHosts.includes(URL.parse(origin)?.host ?? '')
}

/** An unreadable form counts as empty, so that the error names the missing fields. */
async function readForm(request: Request): Promise<FormValues> {
  const form = await request.formData().catch(rethrowFaultOr(() => new FormData()))
  const values: FormValues = {}
  for (const [name, value] of form) {
    if (typeof value === 'string' && value.trim() !== '') values[name] = value
  }
  return values
}

const parseNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text))

function parseRule({ delay_s, times, delay_ms, status, retry_after_s, ...rest }: FormValues) {
  const rule = {
    ...rest,
    times: parseNumber(times),
    delay_ms: delay_s === undefined ? parseNumber(delay_ms) : Math.round(Number(delay_s) * 1000),
    status: parseNumber(status),
    retry_after_s: parseNumber(retry_after_s),
  }
  if (Value.Check(NewSandboxFault, rule)) return rule

  const error = Value.Errors(NewSandboxFault, rule).First()
  const expected = error?.schema.description ?? error?.schema.anyOf?.[0]?.description ?? 'valid'
  throw refuseFields('sandbox_rule_invalid', error?.path.slice(1) ?? '', { expected })
}

function parseClockChange({ advance_ms, at, reset }: FormValues): SandboxClockChange {
  const invalidTime = () => refuseFields('sandbox_time_invalid', 'at')
  const moment = at === undefined ? undefined : new Date(`${at}+05:30`)
  if (moment && Number.isNaN(moment.getTime())) throw invalidTime()
  if (advance_ms !== undefined && !Number.isSafeInteger(Number(advance_ms))) throw invalidTime()
  return {
    advance_ms: parseNumber(advance_ms),
    at: moment?.toISOString(),
    reset: reset === undefined ? undefined : true,
  }
}

const signInPage = () =>
  page(
    'Sign in to the sandbox',
    paragraph('Use the value of SANDBOX_TOKEN as the password. The user name does not matter.'),
    {
      status: 401,
      tag: 'Sandbox',
      headers: { 'www-authenticate': 'Basic realm="Kiraya sandbox", charset="UTF-8"' },
    },
  )

const foreignFormPage = ({ deps }: SandboxCore) =>
  deskPage(
    deps,
    '/sandbox/faults',
    'Form not accepted',
    notice('Use the form on the control page.', 'bad'),
    403,
  )
