import type {
  DeclineInput,
  DeclinedSignature,
  DocumentQuery,
  Kiraya,
  SignInput,
  StartedSigning,
} from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import type { FieldFlags } from '../input/flags'
import { saveFile } from '../output/files'
import { readQuery, submit } from '../input/values'
import { loadPeopleLabels } from '../output/names'
import { resolveSignature } from '../input/names'
import { toEventText } from '../output/timeline'
import {
  cancelledSignatureFields,
  declinedSignatureFields,
  startedSigningFields,
} from '../output/result-fields'

/** A template's options are too deep for flags. Without a signer you sign yourself. */
type SignOptions = Partial<Omit<SignInput, 'flexi_options'>>

const signFields: FieldFlags<SignOptions> = {
  signer_id: {
    kind: 'person',
    alias: 'signer',
    description: 'phone number, name or user id of the party; default: you',
  },
}

const declineFields: FieldFlags<DeclineInput> = {
  reason: { kind: 'text', description: 'shown to the other parties' },
}

const documentFields: FieldFlags<DocumentQuery> = {
  signature_id: {
    kind: 'text',
    alias: 'signature',
    description: "id, UUID or the signer's phone number; default: the last one",
  },
}

const signatureColumns = ['id', 'signer', 'signer_role', 'status', 'signed_at', 'expires_at', 'signature_id']

export function addSigningCommands(agreement: CliCommand) {
  agreement
    .command('sign')
    .description('Start the signing of one party')
    .addRecord('agreement')
    .addFieldFlags(signFields)
    .addResult(startedSigningFields)
    .run(async (context, id: string, options: object) => {
      const client = await context.client()
      const signing = await submit<SignOptions, StartedSigning>(context, signFields, options, async input => {
        const signer_id = input.signer_id ?? (await getMyId(client))
        return client.agreements.sign(id, { signer_id })
      })
      context.show(signing)
      context.printNote(`Sign at ${signing.signing_url}`)
    })

  agreement
    .command('decline')
    .description('Refuse to sign an agreement')
    .addRecord('agreement')
    .addFieldFlags(declineFields)
    .addResult(declinedSignatureFields)
    .run(async (context, id: string, options: object) => {
      const client = await context.client()
      const declined = await submit<DeclineInput, DeclinedSignature>(context, declineFields, options, input =>
        client.agreements.decline(id, input),
      )
      context.show(declined)
    })

  agreement
    .command('signatures')
    .description('Show who has signed')
    .addRecord('agreement')
    .run(showSignatures)

  agreement
    .command('cancel-signature')
    .description('Cancel the open signature of one party')
    .addRecord('agreement')
    .addRecord('signature')
    .addConfirmFlag()
    .addResult(cancelledSignatureFields)
    .run(async (context, id: string, signatureId: string, options: { yes?: boolean }) => {
      await context.confirm(`Cancel the signature of ${context.named}`, options.yes)
      const client = await context.client()
      const cancelled = await client.agreements.cancelSignature(id, signatureId)
      context.show(cancelled)
    })

  agreement
    .command('timeline')
    .description('Show the events of an agreement')
    .addRecord('agreement')
    .run(showTimeline)
}

export function addDocumentCommands(agreement: CliCommand) {
  agreement
    .command('document')
    .description('Save the signed PDF')
    .addRecord('agreement')
    .addFieldFlags(documentFields)
    .option('--out <file>', 'file to write; default: agreement-<id>.pdf')
    .addResult(['file', 'bytes', 'dry_run'])
    .run(async (context, id: string, options: { out?: string }) => {
      const client = await context.client()
      const query = await readQuery<DocumentQuery>(context, documentFields, options)
      if (query.signature_id) query.signature_id = await resolveSignature(client, id, query.signature_id)
      const bytes = await client.agreements.document(id, query)
      await saveFile(context, options.out ?? `agreement-${id}.pdf`, bytes)
    })

  agreement
    .command('certificate')
    .description('Save the certificate of completion, a PDF')
    .addRecord('agreement')
    .option('--out <file>', 'file to write; default: agreement-<id>-certificate.pdf')
    .addResult(['file', 'bytes', 'dry_run'])
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

async function showSignatures(context: Context, id: string) {
  const client = await context.client()
  const response = await client.agreements.signatures(id)
  if (context.isJsonOutput) return context.show(response)
  const people = await loadPeopleLabels(client)
  const signatures = response.signatures.map(signature => ({
    ...signature,
    signer: people.get(signature.signer_id) ?? signature.signer_id,
  }))
  context.show(signatures, signatureColumns)
  context.printNote(response.allSigned ? 'All parties have signed' : 'Not all parties have signed yet')
}

async function showTimeline(context: Context, id: string) {
  const client = await context.client()
  const { events, intact } = await client.agreements.timeline(id)
  if (context.isJsonOutput) return context.show({ events, intact })
  const people = await loadPeopleLabels(client)
  for (const event of events) context.terminal.out(toEventText(event, people))
  context.printNote(intact ? 'Every event is unchanged' : 'EVENTS WERE CHANGED OR REMOVED')
}
