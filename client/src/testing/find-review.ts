import { screen } from '@testing-library/react'
import { expect } from 'vitest'

export async function findReview(): Promise<void> {
  await screen.findByTestId('paper')
  await expect.poll(() => screen.queryByRole('status', { name: 'Loading the grade' })).toBeNull()
}
