import type { Agreement, Call, Kiraya, LeaseDocument } from '@kiraya/sdk'
import { LeaseTemplate } from '@kiraya/sdk/contract/agreements'
import type { FlagWords, Schema } from '../input/flags'
import { readGivenFile } from '../output/files'
import { UsageError } from '../runtime/errors'

// A lease is worded from the terms, or a file of this machine, which is sent once the draft is there.

type Body = { document?: LeaseDocument | null }
type Given<Input> = Omit<Input, 'document'> & { document?: string; template?: LeaseTemplate }

export const documentWords = {
  document: { kind: 'text', description: 'the lease, a PDF of at most 10 MiB on this machine' },
  template: { description: 'the server words the lease, in --language' },
} as const satisfies FlagWords<Given<object>>

/** Adds `--document` and `--template` to the flags of an input. */
export function withDocumentFlags<Input>(input: Schema<Input>) {
  const properties = { ...input.properties, template: LeaseTemplate }
  return { ...input, properties } as unknown as Schema<Given<Input>>
}

/** Sends the fields, and then the file. */
export function sendWithDocument<Input extends Body>(
  client: Kiraya,
  save: (input: Input) => Call<Agreement>,
  { document: file, template, ...fields }: Given<Input>,
): Pick<Call<Agreement>, 'withResponse'> {
  const withResponse = async () => {
    if (file && template) throw new UsageError('Give --document or --template: a draft has one document')
    const bytes = file ? await readGivenFile(file) : undefined
    const document = template && { template, language: client.language ?? 'en' }
    const saved = await save({ ...fields, ...(document && { document }) } as unknown as Input).withResponse()
    if (!bytes) return saved
    const { agreement_number } = saved.data
    const sent = client.agreements.setDocument(saved.data.agreement_id, bytes).withResponse()
    return sent.catch((error: Error) => {
      const command = `kiraya agreement update "${agreement_number}" --document <file>`
      error.message += `. The draft ${agreement_number} is there without the file: send another with ${command}`
      throw error
    })
  }
  return { withResponse }
}
