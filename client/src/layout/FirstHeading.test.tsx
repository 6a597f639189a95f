import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'

it('a launch keeps the heading that the server has drawn until its page draws its own', async () => {
  document.body.innerHTML =
    '<div id="root"><main class="first-heading" data-width="reading"><h1>Cells &amp; tissues</h1></main></div>'
  // It looks at the document once, as the program starts.
  vi.resetModules()
  const { FirstHeading, forgetFirstHeading } = await import('./FirstHeading.tsx')
  document.body.innerHTML = ''
  const { rerender } = render(<FirstHeading />, { wrapper: MantineProvider })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Cells & tissues')
  expect(screen.getByRole('main').dataset.width).toBe('reading')

  forgetFirstHeading()
  rerender(<FirstHeading key="later" />)
  expect(screen.queryByRole('heading')).toBeNull()
})
