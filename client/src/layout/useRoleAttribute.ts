import { useLayoutEffect } from 'react'

/** Sets the role as an attribute for style sheets; buttons look a little different for each role. */
export function useRoleAttribute(role: string | undefined): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    if (role) dataset.role = role
    return () => {
      delete dataset.role
    }
  }, [role])
}
