import { openBrowser } from '../runtime/browser'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import { sanitizeText } from '../output/sanitize'

const pages = { docs: 'the description of the API', sandbox: "the sandbox's page" }

export function addOpenCommands(program: CliCommand) {
  const open = program.command('open').description('Open a page in the browser; prints its address')

  for (const [page, description] of Object.entries(pages))
    open
      .command(page)
      .description(`Open ${description}`)
      .run(context => showPage(context, `${context.baseUrl}/${page}`))

  open
    .command('signing')
    .description('Open the page on which you sign an agreement; starts your signing')
    .addRecord('agreement')
    .run(async (context, id: string) => {
      const client = await context.client()
      const { user } = await client.auth.me()
      const { signing_url } = await client.agreements.sign(id, { signer_id: user.id })
      showPage(context, signing_url)
    })
}

function showPage(context: Context, url: string) {
  if (context.isJsonOutput) context.show({ url })
  else context.terminal.out(sanitizeText(url))
  openBrowser(context.terminal, url)
}
