import { useLayoutEffect } from 'react'

/** Tells style sheets whose screens these are; buttons look a little different for each role. */
export function useRoleAttribute(role: string | undefined): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    if (role) dataset.role = role
    return () => {
      delete dataset.role
    }
  }, [role])
}
