import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import {
  NewSandboxFault,
  PhoneNumber,
  type SandboxBehavior,
  type SandboxCall,
  type SandboxFault,
  type SandboxProvider,
  type SandboxState,
} from '@kiraya/sdk/contract'
import { Fault, rethrowFaultOr } from '../faults'
import {
  badge,
  button,
  listItem,
  field,
  descriptionList,
  html,
  link,
  maskedPhone,
  notice,
  page,
  paragraph,
  itemList,
  section,
  time,
  type Html,
} from './html'
import { faultOptions } from './fault-rules'
import { hasControlAccess, moveClock, loadSandboxState } from './control'
import { listNewestMessages } from './whatsapp'
import type { Sandbox } from './index'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const providers: Record<SandboxProvider, string> = { esign: 'E-signing', ekyc: 'eKYC', messages: 'Messages' }
const calls: Record<SandboxCall, string> = {
  any: 'any call',
  create: 'what is created',
  upload: 'the upload',
  status: 'the status',
  cancel: 'the cancellation',
  pdf: 'the PDF',
  webhook: 'the webhook',
}
const behaviours: Record<SandboxBehavior, string> = {
  error: 'answers with an error',
  timeout: 'does not answer',
  slow: 'answers slowly',
  garbage: 'answers garbage',
  malformed: 'answers JSON of another shape',
  lost: 'takes effect, but its answer is lost',
  link: 'is answered as a one-time link',
  late: 'webhook comes late',
  twice: 'webhook comes twice',
  shuffled: 'webhook comes after the next one',
  forged: 'webhook is forged',
  never: 'webhook never comes',
  succeed: 'succeeds by itself',
  decline: 'is declined by itself',
  'fail-otp': 'fails its OTP by itself',
  expire: 'expires by itself',
  fail: 'fails by itself',
}
/** One press each. */
const presets: { heading: string; provider: SandboxProvider; faults: [label: string, NewSandboxFault][] }[] =
  [
    {
      heading: 'The next signature',
      provider: 'esign',
      faults: (['succeed', 'decline', 'fail-otp', 'expire'] as const).map(behaviour => [
        { succeed: 'Succeed', decline: 'Decline', 'fail-otp': 'Fail OTP', expire: 'Expire' }[behaviour],
        { provider: 'esign', on: 'create', behaviour },
      ]),
    },
    {
      heading: 'The next call of e-signing',
      provider: 'esign',
      faults: [
        ['Time out', { provider: 'esign', behaviour: 'timeout' }],
        ['Answer 500 five times', { provider: 'esign', behaviour: 'error', times: 5 }],
        ['Answer garbage', { provider: 'esign', behaviour: 'garbage' }],
        ['Lose the answer', { provider: 'esign', behaviour: 'lost' }],
      ],
    },
    {
      heading: 'The next webhook of e-signing',
      provider: 'esign',
      faults: [
        ['Late', { provider: 'esign', behaviour: 'late', delay_ms: 60_000 }],
        ['Twice', { provider: 'esign', behaviour: 'twice' }],
        ['Wrong order', { provider: 'esign', behaviour: 'shuffled' }],
        ['Forged', { provider: 'esign', behaviour: 'forged' }],
        ['Never', { provider: 'esign', behaviour: 'never' }],
      ],
    },
    {
      heading: 'The next identity check',
      provider: 'ekyc',
      faults: [
        ['Succeed', { provider: 'ekyc', on: 'create', behaviour: 'succeed' }],
        ['Fail', { provider: 'ekyc', on: 'create', behaviour: 'fail' }],
        ['Webhook never', { provider: 'ekyc', behaviour: 'never' }],
      ],
    },
    {
      heading: 'The next message',
      provider: 'messages',
      faults: [
        ['Answer 500', { provider: 'messages', behaviour: 'error' }],
        ['Time out', { provider: 'messages', behaviour: 'timeout' }],
      ],
    },
  ]
const done = {
  added: 'Added.',
  removed: 'Removed.',
  cleared: 'All goes well again.',
  moved: 'The clock was moved.',
} as const

const hidden = (values: Record<string, unknown>) =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}" />`)
const duration = (ms: number) =>
  ms % DAY === 0 ? `${ms / DAY} d` : ms % HOUR === 0 ? `${ms / HOUR} h` : `${ms / 1000} s`
const spoken = ({ provider, on, behaviour }: SandboxFault) =>
  `${providers[provider]}: ${on === 'any' || on === 'webhook' ? '' : `${calls[on]} `}${behaviours[behaviour]}`
const details = ({ times, delay_ms, status, retry_after_s, match }: SandboxFault) =>
  [
    times > 1 ? `${times} times` : 'once',
    delay_ms !== null && `after ${duration(delay_ms)}`,
    status && `status ${status}`,
    retry_after_s !== null && `Retry-After ${retry_after_s} s`,
    match && `only ${match}`,
  ]
    .filter(Boolean)
    .join(', ')

/** The pages of those who try things out. */
export const controlPages = (sandbox: Sandbox) => {
  const { deps, faultRules: faults } = sandbox
  const { sandbox: served } = deps.config
  const offered = (
    [
      ['esign', served.signing],
      ['ekyc', served.kyc],
      ['messages', served.messages],
    ] as const
  )
    .filter(([, is]) => is)
    .map(([name]) => name)
  const nav = [
    { label: 'Overview', href: '/sandbox' },
    { label: 'Control', href: '/sandbox/faults' },
    ...(served.messages ? [{ label: 'Inbox', href: '/sandbox/inbox' }] : []),
  ]
  const shown = (here: string, title: string, body: Parameters<typeof page>[1], status = 200) =>
    page(title, body, { nav, here, tag: 'Sandbox', status })

  const clock = ({ now, offset_ms }: SandboxState['clock']) =>
    offset_ms ? html`${time(now)}, moved by ${duration(offset_ms)}` : html`${time(now)}, as the server’s`
  const messages = (found: Awaited<ReturnType<typeof listNewestMessages>>, none: string) =>
    itemList(
      found.map(
        ({ phone, otp, text, sent_at }) =>
          html`${listItem(withLinks(text), link(`/sandbox/inbox?phone=${phone}`, phone), time(sent_at))}${otp !== null && badge(otp, 'good')}`,
      ),
      none,
    )

  async function overview() {
    const [{ clock: at, faults: list, held_webhooks, signatures, checks }, found] = await Promise.all([
      loadSandboxState(sandbox),
      served.messages ? listNewestMessages(deps, {}) : [],
    ])
    return shown(
      '/sandbox',
      'Sandbox',
      html`${paragraph('It stands in for the providers of e-signing, eKYC and messages. Here is what waits for a person, and what was sent.', 'lead')}
        <div class="columns">
          <div>
            ${
              served.signing &&
              section(
                'Open signing requests',
                itemList(
                  signatures.map(
                    ({ name, phone, status, error, url, valid_until }) =>
                      html`${listItem(link(url, name), maskedPhone(phone), html`open until ${time(valid_until)}`)}${error ? badge(error, 'bad') : badge(status === 'pending' ? 'Waiting' : 'Opened', status === 'pending' ? 'plain' : 'busy')}`,
                  ),
                  'Nobody is asked to sign.',
                ),
                'card',
              )
            }
            ${served.messages && section('Newest messages', html`${messages(found.slice(0, 5), 'Nothing was sent.')}${found.length > 5 && paragraph(link('/sandbox/inbox', 'All messages'))}`, 'card')}
          </div>
          <div>
            ${
              served.kyc &&
              section(
                'Open identity checks',
                itemList(
                  checks.map(
                    ({ id, status, url }) =>
                      html`${listItem(link(url, `Check ${id.slice(0, 8)}`), status === 'CREATED' ? 'not opened yet' : 'opened')}`,
                  ),
                  'Nobody is asked who they are.',
                ),
                'card',
              )
            }
            ${section(
              'What is to come',
              html`${descriptionList({
                Clock: clock(at),
                'Next calls': list.length
                  ? html`<ul class="rows">
                      ${list.map(fault => html`<li>${spoken(fault)}</li>`)}
                    </ul>`
                  : 'all go well',
                ...(held_webhooks && {
                  'Held back': `${held_webhooks} webhook${held_webhooks > 1 ? 's' : ''}`,
                }),
              })}
              ${paragraph(link('/sandbox/faults', 'Choose what happens next'))}`,
              'card',
            )}
          </div>
        </div>
        ${paragraph(html`A lease to try the signing with: ${link(`${deps.publicUrl()}/sandbox/files/sample-lease.pdf`)}`, 'note')}`,
    )
  }

  async function control(said?: Html, values: Partial<Record<string, string>> = {}, status = 200) {
    const { clock: at, faults: list, held_webhooks } = await loadSandboxState(sandbox)
    const options = <T extends string>(names: readonly T[], labels: Record<T, string>) =>
      names.map((name): [string, string] => [name, labels[name]])
    const able = [...new Set(offered.flatMap(name => faultOptions[name].behaviours))]
    const callable = [...new Set(offered.flatMap(name => faultOptions[name].on))]
    return shown(
      '/sandbox/faults',
      'Choose what happens next',
      html`${said}
        <div class="columns">
          <div>
            ${section(
              'Next calls',
              html`${itemList(
                list.map(
                  fault =>
                    html`${listItem(spoken(fault), details(fault))}
                      <form method="post" action="/sandbox/faults/${fault.id}/remove">
                        <button class="small" aria-label="Remove: ${spoken(fault)}">Remove</button>
                      </form>`,
                ),
                'All go well.',
              )}
              ${held_webhooks > 0 && paragraph(`${held_webhooks} held back: webhooks that come later.`, 'note')}
              ${list.length > 0 && html`<form method="post" action="/sandbox/faults/clear">${button('Let all go well again', 'small')}</form>`}`,
              'card',
            )}
            ${presets.filter(({ provider }) => offered.includes(provider)).map(({ heading, faults: some }) => section(heading, html`<div class="actions">${some.map(([label, fault]) => html`<form method="post" action="/sandbox/faults">${hidden(fault)}<button class="small" aria-label="${heading}: ${label}">${label}</button></form>`)}</div>`, 'card'))}
          </div>
          <div>
            ${section(
              'Clock of the sandbox',
              html`${paragraph(clock(at))}
                <div class="actions">
                  ${(
                    [
                      ['1 hour on', HOUR],
                      ['1 day on', DAY],
                      ['4 days on', 4 * DAY],
                    ] as const
                  ).map(
                    ([label, ms]) =>
                      html`<form method="post" action="/sandbox/clock">
                        ${hidden({ advance_ms: ms })}${button(label, 'small')}
                      </form>`,
                  )}
                  <form method="post" action="/sandbox/clock">
                    ${hidden({ reset: 'true' })}${button('Reset', 'small')}
                  </form>
                </div>
                <form method="post" action="/sandbox/clock">
                  ${field('at', { label: 'Or set it to', hint: 'Indian time', type: 'datetime-local' })}${button('Set the clock', 'small')}
                </form>
                ${paragraph('It moves the sandbox, not the server: requests open past their time expire, and late webhooks come.', 'note')}`,
              'card',
            )}
            ${section(
              'Anything else',
              html`<form method="post" action="/sandbox/faults">
                <div class="fields">
                  ${field('provider', { label: 'Provider', type: 'select', value: values.provider, choices: options(offered, providers) })}
                  ${field('behaviour', { label: 'What happens', broad: true, type: 'select', value: values.behaviour, choices: options(able, behaviours) })}
                  ${field('on', { label: 'Which call', type: 'select', value: values.on, choices: options(['any', ...callable], { ...calls, any: 'any that it fits' }) })}
                  ${field('times', { label: 'How often', type: 'number', min: 1, max: 1_000_000, value: values.times ?? '1' })}
                  ${field('delay_s', { label: 'Delay in seconds', hint: 'of what is late', type: 'number', min: 0, max: (30 * DAY) / 1000, value: values.delay_s })}
                  ${field('status', { label: 'HTTP status', hint: 'of an error; 500 by default', type: 'number', min: 400, max: 599, value: values.status })}
                  ${field('retry_after_s', { label: 'Retry-After in seconds', hint: 'of an error', type: 'number', min: 0, max: 3600, value: values.retry_after_s })}
                  ${field('match', { label: 'Only for', broad: true, hint: 'a phone number, document or request id', type: 'text', value: values.match })}
                </div>
                ${button('Add', 'main')}
              </form>`,
              'card',
            )}
          </div>
        </div>`,
      status,
    )
  }

  async function inbox(phone: string) {
    const isPhone = !phone || Value.Check(PhoneNumber, phone)
    const found = isPhone ? await listNewestMessages(deps, phone ? { phone } : {}) : []
    return shown(
      '/sandbox/inbox',
      'Inbox',
      html`${!isPhone && notice('The number must have ten digits, the first of them 6 to 9.', 'bad')}
        <form method="get" action="/sandbox/inbox" class="inline" role="search">
          ${field('phone', { label: 'Phone number', type: 'tel', value: phone })}${button('Show', 'main')}${phone && html`<a class="button" href="/sandbox/inbox">Show all</a>`}
        </form>
        ${section(phone && isPhone ? `Messages to ${phone}` : 'Newest messages', messages(found, 'Nothing was sent.'), 'card')}`,
      isPhone ? 200 : 400,
    )
  }

  /** What a browser posts, where it comes from a page of ours. */
  async function form(request: Request) {
    const site = request.headers.get('sec-fetch-site')
    if (site && site !== 'same-origin' && site !== 'none') return undefined
    const given = await request.formData().catch(rethrowFaultOr(() => new FormData())) // a form that cannot be read has no fields, and those that are missing are named
    return Object.fromEntries(
      [...given].filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
      ),
    )
  }
  const back = (said: keyof typeof done) =>
    new Response(null, { status: 303, headers: { location: `/sandbox/faults?done=${said}` } })
  const refused = () =>
    shown('/sandbox/faults', 'Not from here', notice('Use the form on the control page.', 'bad'), 403)
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  /** Does what was posted; what is wrong with it is said above the form. */
  const posted = async (
    request: Request,
    work: (given: Record<string, string>) => Promise<keyof typeof done>,
  ) => {
    const given = await form(request)
    if (!given) return refused()
    try {
      return back(await work(given))
    } catch (error) {
      if (error instanceof Fault && error.status < 500)
        return control(notice(error.message, 'bad'), given, error.status)
      throw error
    }
  }

  return new Elysia({ prefix: '/sandbox' })
    .onBeforeHandle(({ request }) => {
      if (!hasControlAccess(deps, request, true))
        return page(
          'Sign in to the sandbox',
          paragraph('It asks for SANDBOX_TOKEN as the password; the user name does not matter.'),
          {
            status: 401,
            tag: 'Sandbox',
            headers: { 'www-authenticate': 'Basic realm="Kiraya sandbox", charset="UTF-8"' },
          },
        )
    })
    .get('', () => overview())
    .get('/faults', ({ query }) =>
      control(
        Object.hasOwn(done, query.done ?? '') ? notice(done[query.done as keyof typeof done]) : undefined,
      ),
    )
    .post(
      '/faults',
      ({ request }) =>
        posted(request, async ({ delay_s, times, delay_ms, status, retry_after_s, ...rest }) => {
          const fault = {
            ...rest,
            times: number(times),
            delay_ms: delay_s === undefined ? number(delay_ms) : Math.round(Number(delay_s) * 1000),
            status: number(status),
            retry_after_s: number(retry_after_s),
          }
          if (!Value.Check(NewSandboxFault, fault)) {
            const wrong = Value.Errors(NewSandboxFault, fault).First()
            throw new Fault(
              'VALIDATION_ERROR',
              `${wrong?.path.slice(1)} must be ${wrong?.schema.description ?? wrong?.schema.anyOf?.[0]?.description ?? 'valid'}`,
            )
          }
          await faults.add(fault)
          return 'added'
        }),
      raw,
    )
    .post(
      '/faults/clear',
      ({ request }) =>
        posted(request, async () => {
          await faults.clear()
          return 'cleared'
        }),
      raw,
    )
    .post(
      '/faults/:id/remove',
      ({ request, params }) =>
        posted(request, async () => {
          await faults.remove(params.id)
          return 'removed'
        }),
      raw,
    )
    .post(
      '/clock',
      ({ request }) =>
        posted(request, async ({ advance_ms, at, reset }) => {
          const moment = at && new Date(`${at}+05:30`)
          if (
            (moment && Number.isNaN(moment.getTime())) ||
            (advance_ms && !Number.isSafeInteger(Number(advance_ms)))
          )
            throw new Fault('VALIDATION_ERROR', 'The time must be a date and a time of day')
          await moveClock(sandbox, {
            advance_ms: number(advance_ms),
            at: moment ? moment.toISOString() : undefined,
            reset: reset ? true : undefined,
          })
          return 'moved'
        }),
      raw,
    )
    .use(
      served.messages
        ? new Elysia().get('/inbox', ({ query }) => inbox(query.phone?.trim() ?? ''))
        : new Elysia(),
    )
}

/** Forms are read by their routes. */
const raw = { parse: 'none' } as const

/** A text with the addresses in it as links. */
const withLinks = (text: string) =>
  text.split(/(https?:\/\/[^\s,]+)/).map((part, index) => (index % 2 ? link(part) : part))
