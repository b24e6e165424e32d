type Named = { first_name: string | null; last_name: string | null; email: string | null }

const HIDDEN = '•••'

/** Keeps first letters, by which only those who know the user recognise them: `A•••` and `a•••@…`. */
export function maskUser({ first_name, last_name, email }: Named): Named {
  return {
    first_name: maskText(first_name),
    last_name: maskText(last_name),
    email: email && `${maskText(email)}@…`,
  }
}

/** The number of dots does not tell the length. */
function maskText(text: string | null) {
  const [firstCharacter = ''] = text ?? ''
  return text && `${firstCharacter}${HIDDEN}`
}
