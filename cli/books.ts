import type { Kiraya } from '@kiraya/sdk'
import type { Books } from '@kiraya/sdk/books'

/** Opens the landlord's books. They load on first use, so that help texts appear at once. */
export async function openBooks(client: Kiraya): Promise<Books> {
  const { createBooks } = await import('@kiraya/sdk/books')
  return createBooks(client)
}
