import { useLayoutEffect } from 'react'

/** Style sheets give buttons another look for each role. */
export function useRoleAttribute(role: string | undefined): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    if (role) dataset.role = role
    return () => {
      delete dataset.role
    }
  }, [role])
}
