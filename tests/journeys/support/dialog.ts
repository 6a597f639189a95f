import type { Frame, Locator, Page } from 'playwright-core'

/** With the focus in it: it moves there a moment after the dialog is drawn, and would take what is typed along. */
export async function focusedDialog(page: Page | Frame, name?: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', name === undefined ? {} : { name })
  await dialog.and(page.locator(':focus-within')).waitFor()
  return dialog
}
