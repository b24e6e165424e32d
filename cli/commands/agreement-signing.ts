import type { Timeline } from '@kiraya/sdk'
import { Agreement, DocumentQuery, ObjectionInput, RecordInput } from '@kiraya/sdk/contract/agreements'
import {
  CancelledSignature,
  DeclinedSignature,
  DeclineInput,
  SignInput,
  StartedSigning,
  type Signatures,
} from '@kiraya/sdk/contract/signing'
import { toFieldFlags } from '../input/flags'
import { resolveSignature } from '../input/names'
import { submit } from '../input/values'
import { addNames, loadPeopleNames } from '../output/names'
import type { Context } from '../runtime/context'
import { createVerb, download, read, send, type Verbs } from '../runtime/verbs'
import { gatherOpening, openingWords, withOpeningFlags } from './agreement-opening'
import { toEntryText } from './timeline'

/** Without a signer you sign yourself. */
const signFields = toFieldFlags(SignInput, {
  signer_id: { isRequired: false, description: 'phone number, name or user id of the party; default: you' },
})

export const signingVerbs: Verbs = {
  sign: createVerb(
    {
      summary: 'Start the signing of one party',
      records: ['agreement'],
      fields: signFields,
      examples: ['kiraya agreement sign AGR-2026-000001 --signer 9123456789'],
      result: StartedSigning,
    },
    async (context, [id], options) => {
      const client = await context.client()
      const signing = await submit(context, signFields, options, async (input: Partial<SignInput>) => {
        const signer_id = input.signer_id ?? (await client.auth.me()).user.id
        return client.agreements.sign(id, { signer_id }).withResponse()
      })
      context.showWarned(signing)
      context.printNote(`Sign at ${signing.data.signing_url}`)
    },
  ),
  record: send({
    summary: 'Record that a draft was signed on paper: the lease is active at once',
    records: ['agreement'],
    input: withOpeningFlags<RecordInput>(RecordInput),
    words: openingWords,
    examples: [
      'kiraya agreement record AGR-2026-000001 --signed-on 2024-04-01 --settled-until 2026-10-31 --owed 500',
    ],
    result: Agreement,
    call: client => (id, input) => client.agreements.record(id, gatherOpening(input)),
  }),
  accept: send({
    summary: 'Accept, as a tenant, a lease that the landlord recorded as signed on paper',
    records: ['agreement'],
    result: Agreement,
    call: client => client.agreements.accept,
  }),
  object: send({
    summary: 'Object, as a tenant, to a lease as the landlord recorded it',
    records: ['agreement'],
    input: ObjectionInput,
    examples: ['kiraya agreement object AGR-2026-000001 --reason "The deposit was 50,000"'],
    result: Agreement,
    call: client => client.agreements.object,
  }),
  'withdraw-objection': send({
    summary: 'Withdraw your objection to a recorded lease',
    records: ['agreement'],
    result: Agreement,
    call: client => client.agreements.withdrawObjection,
  }),
  decline: send({
    summary: 'Refuse to sign an agreement',
    records: ['agreement'],
    input: DeclineInput,
    result: DeclinedSignature,
    call: client => client.agreements.decline,
  }),
  signatures: read({
    summary: 'Show who has signed',
    records: ['agreement'],
    call: client => client.agreements.signatures,
    show: showSignatures,
  }),
  'cancel-signature': send({
    summary: 'Cancel the open signature of one party',
    records: ['agreement', 'signature'],
    confirm: named => `Cancel the signature of ${named}`,
    result: CancelledSignature,
    call: client => client.agreements.cancelSignature,
  }),
  timeline: read({
    summary: 'Show the timeline of an agreement',
    records: ['agreement'],
    call: client => client.agreements.timeline,
    show: showTimeline,
  }),
  document: download({
    summary: 'Save the signed PDF',
    records: ['agreement'],
    input: DocumentQuery,
    words: {
      signature_id: {
        alias: 'signature',
        description: "id, UUID or the signer's phone number; default: the last one",
      },
    },
    file: 'agreement-<id>.pdf',
    call:
      client =>
      async (id, { signature_id: signature }) =>
        client.agreements.document(
          id,
          signature ? { signature_id: await resolveSignature(client, signature, id) } : {},
        ),
  }),
  certificate: download({
    summary: 'Save the certificate of completion, a PDF',
    records: ['agreement'],
    file: 'agreement-<id>-certificate.pdf',
    call: client => client.agreements.certificate,
  }),
}

async function showSignatures(context: Context, { signatures, allSigned }: Signatures) {
  const named = await addNames(await context.client(), signatures)
  context.show(named, [
    'id',
    'signer',
    'signer_role',
    'status',
    'signed_at',
    'expires_at',
    'signature_id',
    'provider',
  ])
  context.printNote(allSigned ? 'All parties have signed' : 'Not all parties have signed yet')
}

async function showTimeline(context: Context, { entries, intact }: Timeline) {
  const people = await loadPeopleNames(await context.client())
  for (const entry of entries) context.terminal.out(toEntryText(entry, people))
  context.printNote(intact ? 'Every entry is unchanged' : 'ENTRIES WERE CHANGED OR REMOVED')
}
