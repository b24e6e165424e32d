import type { Kiraya } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import { resolveAgreement, resolveProperty, resolveSignature, resolveUnitPath } from './names'

/** Records that commands take as arguments. */
export type RecordKind = 'property' | 'unit' | 'agreement' | 'signature' | 'charge' | 'payment' | 'revision'

type Texts = (string | undefined)[]
type Resolve = (client: Kiraya, texts: Texts) => Promise<string[]>

/** How the arguments of a command become ids; those of a unit depend on its property. Some have only ids. */
const resolvers: Record<string, Resolve> = {
  property: async (client, [property]) => [await resolveProperty(client, property!)],
  'property unit': async (client, [property, unit]) => {
    const { propertyId, unitId } = await resolveUnitPath(client, property!, unit)
    return [propertyId, unitId]
  },
  agreement: async (client, [agreement]) => [await resolveAgreement(client, agreement!)],
  'agreement revision': async (client, [agreement, revision]) => [
    await resolveAgreement(client, agreement!),
    revision!,
  ],
  'agreement signature': async (client, [agreement, signature]) => {
    const agreementId = await resolveAgreement(client, agreement!)
    return [agreementId, await resolveSignature(client, agreementId, signature!)]
  },
}

/** Replaces the names among a command's arguments by ids. */
export async function resolveRecords(context: Context, kinds: RecordKind[], parsed: unknown[]) {
  const resolve = resolvers[kinds.join(' ')]
  if (!resolve) return parsed
  const client = await context.client()
  const ids = await resolve(client, parsed.slice(0, kinds.length) as Texts)
  return [...ids, ...parsed.slice(kinds.length)]
}
