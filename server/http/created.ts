import { Elysia } from 'elysia'

/** `created: true` on a route: it answers 201. Without the status set beforehand the answer would go out as 200, unstripped. */
export const createdStatus = new Elysia({ name: 'created' }).macro({
  created: (_: true) => ({
    beforeHandle({ set }) {
      set.status = 201
    },
  }),
})
