import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { PageLoadError } from '../layout/page-route.tsx'

it('says that the page could not be loaded, and shows it once trying again has helped', async () => {
  let offline = true
  const part = {
    load: async () => {
      if (offline) throw new Error('offline')
      return () => <h1>Your Assignments</h1>
    },
  }
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <PageLoadError part={part} />
      </MemoryRouter>
    </MantineProvider>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(screen.getByText('Check your connection.')).toBeTruthy()
  offline = false
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  await screen.findByRole('heading', { name: 'Your Assignments' })
})
