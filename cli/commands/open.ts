import { sanitizeText } from '../output/sanitize'
import { openBrowser } from '../runtime/browser'
import type { Context } from '../runtime/context'
import { createVerb, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
  docs: createVerb({ summary: 'Open the description of the API' }, async context =>
    showPage(context, `${context.baseUrl}/docs`),
  ),
  sandbox: createVerb({ summary: "Open the sandbox's page" }, async context =>
    showPage(context, `${context.baseUrl}/sandbox`),
  ),
  signing: createVerb(
    {
      summary: 'Open the page on which you sign an agreement; starts your signing',
      records: ['agreement'],
    },
    async (context, [id]) => {
      const client = await context.client()
      const { user } = await client.auth.me()
      const { signing_url } = await client.agreements.sign(id, { signer_id: user.id })
      showPage(context, signing_url)
    },
  ),
}

function showPage(context: Context, url: string) {
  if (context.isJsonOutput) context.show({ url })
  else context.terminal.out(sanitizeText(url))
  openBrowser(context.terminal, url)
}
