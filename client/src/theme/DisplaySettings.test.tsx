import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { DisplaySettings } from './DisplaySettings.tsx'
import { ThemeRoot } from './ThemeRoot.tsx'

const open = () =>
  render(
    <ThemeRoot>
      <DisplaySettings opened onClose={() => {}} />
    </ThemeRoot>,
  )
const root = document.documentElement

it('turns each refinement on and off at once, and remembers it', async () => {
  open()
  const user = userEvent.setup()
  const boxes = await screen.findAllByRole('checkbox')
  expect(boxes).toHaveLength(9)
  expect(root.dataset.flags).toBe('studentPortal mobileOptimizations')
  await user.click(screen.getByRole('checkbox', { name: 'Striped tables' }))
  await user.click(screen.getByRole('checkbox', { name: 'Student portal' }))
  expect(root.dataset.flags).toBe('mobileOptimizations stripedTables')
  expect(JSON.parse(localStorage.getItem('assay-display') ?? '')).toMatchObject({
    flags: { stripedTables: true, studentPortal: false },
  })
  await user.click(screen.getByRole('button', { name: 'Reset to defaults' }))
  expect(root.dataset.flags).toBe('studentPortal mobileOptimizations')
})

it('gives more contrast on request', async () => {
  open()
  expect(root.dataset.contrast).toBe('normal')
  await userEvent.setup().click(await screen.findByRole('radio', { name: 'High' }))
  expect(root.dataset.contrast).toBe('high')
})
