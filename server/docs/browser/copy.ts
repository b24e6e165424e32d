// Runs in the browser: it may use nothing of the server.

const DONE_MS = 2_000

async function copyCode(block: HTMLElement, button: HTMLElement) {
  await navigator.clipboard.writeText(block.innerText)
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, DONE_MS)
}

/** Puts a button on each block of code that copies it. */
function addCopyButton(block: HTMLElement) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => void copyCode(block, button))
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(block, button)
}

// Browsers have a clipboard on https and localhost alone.
if (globalThis.isSecureContext)
  for (const block of document.querySelectorAll<HTMLElement>('article pre')) addCopyButton(block)
