import { notice, paragraph } from '../../pages/elements'
import { html, type Content } from '../../pages/html'
import { page, type PageOptions } from '../../pages/layout'

/** Renders a page for signers and for people whose identity is checked. */
export function peoplePage(title: string, body: Content, options: PageOptions = {}) {
  const sandboxNote = paragraph(
    'This is the sandbox: nothing here is legally binding, and no real identity is read.',
    'note',
  )
  return page(title, [html`<div class="people">${body}</div>`, sandboxNote], { ...options, tag: 'Sandbox' })
}

export const notFoundPage = (what: string) =>
  page(
    `No such ${what}`,
    [
      notice('The address is incomplete, or the request no longer exists.', 'bad'),
      paragraph('Open the link from the message again, or ask its sender for a new one.'),
    ],
    { status: 404, tag: 'Sandbox' },
  )

export const noSuchActionPage = () =>
  page('No such action', paragraph('Go back and use the buttons on the page.'), {
    status: 404,
    tag: 'Sandbox',
  })
