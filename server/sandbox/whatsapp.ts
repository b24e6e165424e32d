import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import type { SandboxMessage } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { createRecordStore } from './record-store'
import type { Sandbox } from './index'
import { isInternalCall } from './call-simulator'

const NEWEST = 50

const Text = Type.String({ maxLength: 5000 })
const Template = Type.Object({
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
type Kept = { id: string; phone: string; otp: string | null; text: string }

const refusal = (status: number, code: number, message: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error: { message, type: 'OAuthException', code, fbtrace_id: randomUUID() } },
    { status, headers },
  )
const failing = (status: number, headers: Record<string, string>) =>
  refusal(status, status === 429 ? 130429 : 131000, 'The sandbox was told to fail', headers)
const masked = (phone: string) => `${phone.slice(0, 2)}******${phone.slice(-2)}`

const recordsOf = ({ orm }: Deps) => createRecordStore<Kept>(orm, 'message')

/** The newest messages, newest first. */
export async function listNewestMessages(
  deps: Deps,
  { phone }: { phone?: string },
): Promise<SandboxMessage[]> {
  const found = await recordsOf(deps).newest(NEWEST, phone ? { phone } : {})
  return found.map(({ id, phone, otp, text, created_at }) => ({ id, phone, otp, text, sent_at: created_at }))
}

/** Stands in for the WhatsApp Cloud API. */
export const whatsappRoutes = ({ deps, clock, simulateCall }: Sandbox) =>
  new Elysia({ prefix: '/sandbox' }).post('/whatsapp/:phoneNumberId/messages', ({ request, body }) => {
    if (!isInternalCall(deps, request)) return refusal(401, 190, 'Invalid access token')
    if (!Value.Check(Template, body)) return refusal(400, 100, 'Invalid parameter')
    const phone = body.to.replace(/^91/, '')
    return simulateCall('messages', 'create', [phone], request, failing, async () => {
      const id = `wamid.${randomUUID()}`
      const kept = { id, phone, ...contentOf(body.template, deps.config.WHATSAPP_REMINDER_TEMPLATE) }
      await recordsOf(deps).add(id, kept, await clock.now())
      deps.log.info(
        deps.config.isProduction
          ? 'Sandbox message'
          : kept.otp
            ? `Sandbox message: the one-time password for ${masked(phone)} is ${kept.otp}`
            : `Sandbox message: ${body.template.name ?? 'a template'} for ${masked(phone)}`,
      )
      return Response.json({
        messaging_product: 'whatsapp',
        contacts: [{ input: body.to, wa_id: body.to }],
        messages: [{ id }],
      })
    })
  })

/** A template whose button copies a text sends a one-time password; of one that is not known here its name and its parameters tell what it says. */
function contentOf({ name, components }: typeof Template.static.template, reminder: string) {
  const spoken = components
    .filter(({ type }) => type !== 'button')
    .flatMap(({ parameters }) => parameters.map(({ text }) => text))
  if (components.some(({ type }) => type === 'button'))
    return { otp: spoken[0] ?? '', text: `${spoken[0]} is your Kiraya verification code.` }
  if (name === reminder && spoken.length === 2)
    return { otp: null, text: `Agreement ${spoken[0]} waits for your signature: ${spoken[1]}` }
  const words = (name ?? 'message').replaceAll('_', ' ')
  return { otp: null, text: `${words[0]?.toUpperCase()}${words.slice(1)}: ${spoken.join(', ')}` }
}
