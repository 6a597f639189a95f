import type { PhotoCorners } from '@assay/shared/photo-drafts.ts'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { CropStage, turnPoint, turnPointBack } from './CropModal.tsx'

const corners: PhotoCorners = [
  [0.1, 0.2],
  [0.9, 0.2],
  [0.9, 0.8],
  [0.1, 0.8],
]
let now = corners
function Stage({ turns }: { turns: 0 | 1 }) {
  const [value, setValue] = useState(corners)
  now = value
  return <CropStage url="x.jpg" corners={value} turns={turns} change={setValue} />
}

it('moves a corner by the arrow keys, by more with Shift, and never out of the photo', async () => {
  render(<Stage turns={0} />)
  screen.getByRole('button', { name: 'Upper left corner, 10 % across, 20 % down' }).focus()
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  expect(now[0]?.map((share) => share.toFixed(3))).toEqual(['0.105', '0.205'])
  await userEvent.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{ArrowLeft}{/Shift}')
  expect(now[0]?.[0]).toBe(0)
  expect(now.slice(1)).toEqual(corners.slice(1))
})

it('names and moves corners as they are seen once the page is turned', async () => {
  render(<Stage turns={1} />)
  // The photo's upper left is the page's upper right.
  screen.getByRole('button', { name: 'Upper right corner, 80 % across, 10 % down' }).focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(now[0]?.map((share) => share.toFixed(3))).toEqual(['0.105', '0.200'])
})

it('turns points there and back', () => {
  for (const turns of [0, 1, 2, 3] as const) {
    const [x, y] = turnPointBack(turnPoint([0.25, 0.75], turns), turns)
    expect([x, y]).toEqual([0.25, 0.75])
  }
  expect(turnPoint([0, 0], 1)).toEqual([1, 0])
})
