import { writeFile } from 'node:fs/promises'
import type { DeclineInput, DocumentQuery, Kiraya, SignInput } from '@kiraya/sdk'
import { RECORD_ID, type CliCommand } from '../command'
import type { Context } from '../context'
import { toRequestBody, type FieldFlags } from '../field-flags'
import { say } from '../messages'

/** A template's options are too deep for flags. Without a signer you sign yourself. */
type SignOptions = Partial<Omit<SignInput, 'flexi_options'>>

const signFields: FieldFlags<SignOptions> = {
  signer_id: { kind: 'integer', alias: 'signer', description: 'user id of the party; default: you' },
}

const declineFields: FieldFlags<DeclineInput> = {
  reason: { kind: 'text', description: 'shown to the other parties' },
}

const documentFields: FieldFlags<DocumentQuery> = {
  signature_id: {
    kind: 'text',
    alias: 'signature',
    description: 'UUID of the signature; default: the last one',
  },
}

const signatureColumns = ['id', 'signer_id', 'signer_role', 'status', 'signed_at', 'expires_at']
const eventColumns = ['position', 'occurred_at', 'type', 'by', 'details']

export function addSigningCommands(agreement: CliCommand) {
  agreement
    .command('sign')
    .description('Start the signing of one party')
    .argument('<agreement>', RECORD_ID)
    .addFieldFlags(signFields)
    .run(async (context, id: string, options: object) => {
      const client = await context.client()
      const { signer_id = await getMyId(client) } = toRequestBody<SignOptions>(signFields, options)
      const signing = await client.agreements.sign(id, { signer_id })
      context.show(signing)
      context.printNote(say('sign_at', { url: signing.signing_url }))
    })

  agreement
    .command('decline')
    .description('Refuse to sign an agreement')
    .argument('<agreement>', RECORD_ID)
    .addFieldFlags(declineFields)
    .run(async (context, id: string, options: object) => {
      const input = toRequestBody<DeclineInput>(declineFields, options)
      const client = await context.client()
      const declined = await client.agreements.decline(id, input)
      context.show(declined)
    })

  agreement
    .command('signatures')
    .description('Show who has signed')
    .argument('<agreement>', RECORD_ID)
    .run(async (context, id: string) => {
      const client = await context.client()
      const response = await client.agreements.signatures(id)
      if (context.isJsonOutput) return context.show(response)
      context.show(response.signatures, signatureColumns)
      context.printNote(say(response.allSigned ? 'all_signed' : 'not_all_signed'))
    })

  agreement
    .command('cancel-signature')
    .description('Cancel the open signature of one party')
    .argument('<agreement>', RECORD_ID)
    .argument('<signature>', RECORD_ID)
    .run(async (context, id: string, signatureId: string) => {
      const client = await context.client()
      const cancelled = await client.agreements.cancelSignature(id, signatureId)
      context.show(cancelled)
    })

  agreement
    .command('timeline')
    .description('Show the events of an agreement')
    .argument('<agreement>', RECORD_ID)
    .run(showTimeline)
}

export function addDocumentCommands(agreement: CliCommand) {
  agreement
    .command('document')
    .description('Save the signed PDF')
    .argument('<agreement>', RECORD_ID)
    .addFieldFlags(documentFields)
    .option('--out <file>', 'file to write; default: agreement-<id>.pdf')
    .run(async (context, id: string, options: { out?: string }) => {
      const query = toRequestBody<DocumentQuery>(documentFields, options)
      const client = await context.client()
      const bytes = await client.agreements.document(id, query)
      await saveFile(context, options.out ?? `agreement-${id}.pdf`, bytes)
    })

  agreement
    .command('certificate')
    .description('Save the certificate of completion, a PDF')
    .argument('<agreement>', RECORD_ID)
    .option('--out <file>', 'file to write; default: agreement-<id>-certificate.pdf')
    .run(async (context, id: string, options: { out?: string }) => {
      const client = await context.client()
      const bytes = await client.agreements.certificate(id)
      await saveFile(context, options.out ?? `agreement-${id}-certificate.pdf`, bytes)
    })
}

async function getMyId(client: Kiraya) {
  const { user } = await client.auth.me()
  return user.id
}

async function showTimeline(context: Context, id: string) {
  const client = await context.client()
  const { events, intact } = await client.agreements.timeline(id)
  if (context.isJsonOutput) return context.show({ events, intact })
  const rows = events.map(event => ({ ...event, by: event.actor_name ?? event.actor_id }))
  context.show(rows, eventColumns)
  context.printNote(say(intact ? 'events_unchanged' : 'events_changed'))
}

async function saveFile(context: Context, file: string, bytes: Uint8Array) {
  await writeFile(file, bytes)
  context.show({ file, bytes: bytes.length })
}
