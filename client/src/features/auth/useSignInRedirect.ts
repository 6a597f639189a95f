import type { User } from '@assay/shared/users.ts'
import { useCallback, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { redirectDestination } from '../../lib/session/redirect-paths.ts'
import { toast } from '../../lib/toast.ts'

const REDIRECT_MS = 100
const FALLBACK_MS = 2000

export function useSignInRedirect(greeting = 'Welcome back!') {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const entering = useRef(false)
  const enter = useCallback(
    async (asking: Promise<User>) => {
      entering.current = true
      try {
        const user = await asking
        const target = redirectDestination(search, user.role)
        const here = window.location.pathname
        toast.success(greeting)
        setTimeout(() => navigate(target, { replace: true }), REDIRECT_MS)
        // If the page's code does not load, reloading may still work.
        setTimeout(() => {
          if (window.location.pathname === here && here !== target) window.location.replace(target)
        }, FALLBACK_MS)
      } catch (error) {
        entering.current = false
        throw error
      }
    },
    [navigate, search, greeting],
  )
  return { enter, entering }
}
