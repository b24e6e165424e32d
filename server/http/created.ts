import { Elysia } from 'elysia'

/**
 * Adds `created: true` to routes that answer 201. The status must be set before the handler:
 * otherwise Elysia sends 200 and does not strip undeclared fields.
 */
export const createdStatus = new Elysia({ name: 'created' }).macro({
  created: (_: true) => ({
    beforeHandle({ set }) {
      set.status = 201
    },
  }),
})
