import { fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { expect, it, vi } from 'vitest'
import { useToastsAbove } from './useToastsAbove.ts'

function Buttons() {
  const foot = useRef<HTMLElement>(null)
  useToastsAbove(foot)
  return <footer ref={foot}>Save</footer>
}

const place = () => document.documentElement.style.getPropertyValue('--toasts-bottom')

it('puts toasts above buttons at the foot of the window, and back where these are gone', () => {
  const { unmount } = render(<Buttons />)
  const rect = vi.spyOn(screen.getByText('Save'), 'getBoundingClientRect')
  const standAt = (top: number, height: number) => {
    rect.mockReturnValue(new DOMRect(0, top, 300, height))
    fireEvent(window, new Event('resize'))
  }
  standAt(window.innerHeight - 140, 140)
  expect(place()).toBe('152px')
  standAt(window.innerHeight - 240, 140)
  expect(place()).toBe('252px')
  standAt(100, 140)
  expect(place()).toBe('')
  standAt(window.innerHeight + 20, 140)
  expect(place()).toBe('')
  standAt(window.innerHeight - 140, 140)
  unmount()
  expect(place()).toBe('')
})
