/** `scrollIntoView` would move the whole page too. */
export function scrollWithinContainer(element: Element, air = 12): void {
  const box = scrollContainerOf(element)
  if (!box) return
  const own = element.getBoundingClientRect()
  const window = box.getBoundingClientRect()
  if (own.top < window.top + air) box.scrollTop += own.top - window.top - air
  else if (own.bottom > window.bottom - air) {
    // Never past its own top: what does not fit is read from the start.
    box.scrollTop += Math.min(own.bottom - window.bottom + air, own.top - window.top - air)
  }
}

function scrollContainerOf(element: Element): Element | null {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent
  }
  return null
}
