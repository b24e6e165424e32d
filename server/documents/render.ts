import type { Language } from '@kiraya/sdk/contract'
import { createQueue } from '../queues/queue'
import { quickChild, slowChild } from './children'
import type { DocumentName, Documents } from './data'
import { toBoundedJson } from './bounded-json'

const short = { queue: createQueue(1, 200, 'documents_busy'), child: quickChild }
const long = { queue: createQueue(1, 40, 'documents_busy'), child: slowChild }

/**
 * Renders a document as a PDF, in a child process. The same data gives the same bytes.
 * @throws SERVICE_UNAVAILABLE Too many wait, or it was cut off.
 */
export async function renderDocument<N extends DocumentName>(
  name: N,
  data: Documents[N],
  language: Language = 'en',
): Promise<Uint8Array> {
  const { json, isLong } = toBoundedJson(data, name === 'annual' ? 2 : 1)
  const { queue, child } = isLong ? long : short
  return queue.run(() => child.run({ kind: 'document', name, language, json }, 'document_not_made'))
}
