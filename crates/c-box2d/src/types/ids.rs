//! Ids.

c_structs! { list_ids:
    #[derive(PartialEq, Eq)]
    b2WorldId {
        index1: u16,
        generation: u16,
    }

    #[derive(PartialEq, Eq)]
    b2BodyId {
        index1: i32,
        world0: u16,
        generation: u16,
    }

    #[derive(PartialEq, Eq)]
    b2ShapeId {
        index1: i32,
        world0: u16,
        generation: u16,
    }

    #[derive(PartialEq, Eq)]
    b2ChainId {
        index1: i32,
        world0: u16,
        generation: u16,
    }

    #[derive(PartialEq, Eq)]
    b2JointId {
        index1: i32,
        world0: u16,
        generation: u16,
    }

    #[derive(PartialEq, Eq)]
    b2ContactId {
        index1: i32,
        world0: u16,
        padding: i16,
        generation: u32,
    }
}
