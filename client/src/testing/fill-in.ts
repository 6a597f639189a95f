import userEvent from '@testing-library/user-event'

/** Pastes a text at the end of a field. Typed, each letter would render the page anew: for what happens between two letters. */
export async function fillIn(field: Element, text: string): Promise<void> {
  await userEvent.click(field)
  await userEvent.paste(text)
}
