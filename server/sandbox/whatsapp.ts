import { randomUUID } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import { sql } from 'kysely'
import type { SandboxMessage, SandboxMessageQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { templates } from '../providers/messaging/whatsapp/transform'
import { isInternalCall, type ErrorFormat } from './call-simulator'
import type { SandboxCore } from './core'
import { createRecordStore } from './record-store'

const MAX_MESSAGES = 50

const Text = Type.String({ maxLength: 5000 })
const TemplateInput = Type.Object({
  to: Type.String({ minLength: 1, maxLength: 32 }),
  template: Type.Object({
    name: Type.Optional(Text),
    components: Type.Array(
      Type.Object({
        type: Type.Optional(Text),
        parameters: Type.Array(Type.Object({ text: Text }), { minItems: 1 }),
      }),
      { minItems: 1 },
    ),
  }),
})
type TemplateInput = Static<typeof TemplateInput>

const getStore = ({ db }: Deps) => createRecordStore<SandboxMessage>(db, 'message')

/** Lists the newest messages, newest first. */
export function listNewestMessages(deps: Deps, { phone }: SandboxMessageQuery) {
  return getStore(deps).list(phone ? sql`data->>'phone' = ${phone}` : undefined, MAX_MESSAGES)
}

/** Simulates the WhatsApp Cloud API. */
export const whatsappRoutes = (sandbox: SandboxCore) =>
  new Elysia({ prefix: '/sandbox' }).post('/whatsapp/:phoneNumberId/messages', ({ request, body }) => {
    if (!isInternalCall(sandbox.deps, request)) return toWhatsAppError(401, 190, 'Invalid access token')
    if (!Value.Check(TemplateInput, body)) return toWhatsAppError(400, 100, 'Invalid parameter')
    const phone = body.to.replace(/^91/, '')
    return sandbox.simulateCall(
      { provider: 'messages', call: 'create', subjects: [phone], request, toError: toSimulatedError },
      () => receiveMessage(sandbox, phone, body),
    )
  })

const toWhatsAppError = (status: number, code: number, message: string) =>
  Response.json({ error: { message, type: 'OAuthException', code, fbtrace_id: randomUUID() } }, { status })

/** The code of the Cloud API that fits a status. */
const codeByStatus: Record<number, number> = { 400: 100, 401: 190, 403: 10, 429: 130429 }
const PROVIDER_TROUBLE = 131000

const toSimulatedError: ErrorFormat = status => {
  const code = codeByStatus[status] ?? PROVIDER_TROUBLE
  return toWhatsAppError(status, code, 'A simulated failure caused this error')
}

async function receiveMessage({ deps, clock }: SandboxCore, phone: string, { to, template }: TemplateInput) {
  const id = `wamid.${randomUUID()}`
  const content = toContent(template)
  const now = await clock.now()
  await getStore(deps).add(id, { id, phone, ...content, sent_at: now.toISOString() }, now)
  deps.log.info(toLogLine(deps, phone, content.otp, template.name))
  return Response.json({
    messaging_product: 'whatsapp',
    contacts: [{ input: to, wa_id: to }],
    messages: [{ id }],
  })
}

function toLogLine({ config }: Deps, phone: string, otp: string | null, templateName = 'a template') {
  if (config.isProduction) return 'Sandbox message'
  const maskedPhone = `${phone.slice(0, 2)}******${phone.slice(-2)}`
  return otp
    ? `Sandbox message: the one-time password for ${maskedPhone} is ${otp}`
    : `Sandbox message: ${templateName} for ${maskedPhone}`
}

/** Only one-time passwords have a button: it copies them. */
function toContent({ name, components }: TemplateInput['template']): Pick<SandboxMessage, 'otp' | 'text'> {
  const hasButton = components.some(({ type }) => type === 'button')
  const texts = components
    .filter(({ type }) => type !== 'button')
    .flatMap(({ parameters }) => parameters.map(({ text }) => text))

  if (hasButton) return { otp: texts[0] ?? '', text: `${texts[0]} is your Kiraya verification code.` }
  if (name === templates.reminder && texts.length === 2)
    return { otp: null, text: `Agreement ${texts[0]} waits for your signature: ${texts[1]}` }
  const title = (name ?? 'message').replaceAll('_', ' ')
  return { otp: null, text: `${title[0]?.toUpperCase()}${title.slice(1)}: ${texts.join(', ')}` }
}
