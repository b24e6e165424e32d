// Runs in the browser before the page is drawn, so that it does not flash in the other colours.

const KEY = 'kiraya-theme'
const system = matchMedia('(prefers-color-scheme: dark)')

function apply() {
  const isDark = (localStorage.getItem(KEY) ?? (system.matches ? 'dark' : 'light')) === 'dark'
  document.documentElement.classList.toggle('dark-mode', isDark)
  const button = document.querySelector('#theme')
  if (button) button.textContent = isDark ? 'Use light colours' : 'Use dark colours'
}

apply()
system.addEventListener('change', apply)
document.addEventListener('DOMContentLoaded', () => {
  apply()
  document.querySelector('#theme')?.addEventListener('click', () => {
    const isDark = document.documentElement.classList.contains('dark-mode')
    localStorage.setItem(KEY, isDark ? 'light' : 'dark')
    apply()
  })
})
