//! Two peers play one game over UDP on the loopback interface: balls among boxes on ground that they dig away, before a
//! crowd that walks to and fro. Inputs arrive late and out of order, and some twice; both peers predict, roll back and
//! end with the same bits.

use cairn2d::Rollback;
use cairn2d::crowd::{AgentDef, AgentId, Crowd, Target};
use cairn2d::prelude::*;
use std::error::Error;
use std::net::UdpSocket;

/// Frames of the game.
const FRAMES: u64 = 240;

/// Most frames by which an input is late, and frames that a peer can repeat: one more is on its way.
const LATE: u64 = 7;
const KEPT: usize = 2 * LATE as usize;

const DT: f32 = 1.0 / 60.0;

/// Size of the ground in cells of a meter.
const GROUND: [usize; 2] = [60, 3];

/// The step of one player in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Turn {
    /// Kick of the ball to the right [N s].
    kick: f32,
    /// Whether the player digs away the cell under the ball.
    digs: bool,
}

/// The turns of both players.
type Input = [Turn; 2];

/// Everything that a frame reads and changes. All of it goes back and forth together.
#[derive(Clone)]
struct Game {
    world: World,
    balls: [BodyId; 2],
    ground: TileGrid,
    crowd: Crowd,
    walkers: Vec<AgentId>,
    /// A point for each body that a player's ball runs into, and ten for each cell that it digs.
    score: [u32; 2],
}

impl Game {
    /// Returns a hash of the whole game.
    fn hash(&self) -> u64 {
        let parts = [
            self.world.state_hash(),
            self.crowd.state_hash(),
            u64::from(self.score[0]),
            u64::from(self.score[1]),
        ];
        parts.into_iter().fold(0, |hash: u64, part| {
            (hash ^ part)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29)
        })
    }
}

/// One player's computer.
struct Peer {
    player: usize,
    socket: UdpSocket,
    game: Rollback<Input, Game>,
    /// Packets that are still on their way: the frame in which they leave, and their bytes.
    outbox: Vec<(u64, [u8; 13])>,
    repeated: usize,
}

/// Makes the game: a ball for each player among boxes, and six walkers on either side.
fn game() -> Game {
    let mut world = World::default();
    let mut ground = TileGrid::new(GROUND, 1.0).at((-30.0, -3.0));
    for cell in 0..GROUND[0] * GROUND[1] {
        ground.set([cell % GROUND[0], cell / GROUND[0]], Tile::Solid);
    }
    ground.update(&mut world);
    for i in 0..20 {
        let place = BodyDef::dynamic().position((i % 4) as f32 - 1.5, 0.5 + (i / 4) as f32);
        let body = world.create_body(place);
        world.create_shape(body, Polygon::rectangle(0.45, 0.45), ShapeDef::default());
    }
    let mut ball = |x: f32| {
        let body = world.create_body(BodyDef::dynamic().position(x, 0.5));
        let circle = Circle::of_radius(0.5);
        world.create_shape(body, circle, ShapeDef::default());
        body
    };
    let balls = [ball(-6.0), ball(6.0)];
    let mut crowd = Crowd::default();
    let walkers = (0..12).map(|i| {
        let side = if i % 2 == 0 { -1.0 } else { 1.0 };
        let y = 0.7 * (i / 2) as f32;
        crowd.create_agent(AgentDef {
            target: walk_to(-side, y),
            ..AgentDef::at((6.0 * side, y))
        })
    });
    let walkers = walkers.collect();
    Game {
        world,
        balls,
        ground,
        crowd,
        walkers,
        score: [0; 2],
    }
}

/// The place on the other side to which a walker goes.
fn walk_to(side: f32, y: f32) -> Option<Target> {
    Some(Target {
        point: (6.0 * side, y).into(),
        radius: 0.3,
        speed: 1.4,
    })
}

/// The turn of a player in a frame: now and then a kick toward the boxes, or a cell that is dug.
fn turn_of(player: usize, frame: u64) -> Turn {
    let toward = if player == 0 { 1.0 } else { -1.0 };
    let shifted = frame + 11 * player as u64;
    Turn {
        kick: if shifted.is_multiple_of(23) {
            6.0 * toward
        } else {
            0.0
        },
        digs: shifted.is_multiple_of(61),
    }
}

/// Delay of the packet of a frame [frames]: out of order.
fn delay_of(player: usize, frame: u64) -> u64 {
    (5 * frame + 3 * player as u64) % (LATE + 1)
}

/// A frame of the game.
fn play(game: &mut Game, input: &Input) {
    for (player, turn) in input.iter().enumerate() {
        let ball = game.balls[player];
        if turn.kick != 0.0 {
            let impulse = vec2(turn.kick, 0.0);
            game.world.body_mut(ball).apply_impulse(impulse);
        }
        if turn.digs {
            game.dig(player);
        }
    }
    game.ground.update(&mut game.world);
    game.world.step(DT);
    for (ball, score) in game.balls.into_iter().zip(&mut game.score) {
        let begins = game.world.contact_begins().iter();
        *score += begins.filter(|begin| begin.other(ball).is_some()).count() as u32;
    }
    // Whoever has arrived turns around.
    for &walker in &game.walkers {
        let place = game.crowd.agent(walker).position();
        let Some(target) = game.crowd.agent(walker).def().target else {
            continue;
        };
        if (place - target.point).norm() < 2.0 * target.radius {
            let (side, y) = (target.point.x.signum() as f32, target.point.y as f32);
            let back = walk_to(-side, y);
            game.crowd.agent_mut(walker).set_target(back);
        }
    }
    game.crowd.step(DT);
}

impl Game {
    /// Digs away the highest cell under the ball of a player.
    fn dig(&mut self, player: usize) {
        let place = self.world.body(self.balls[player]).position();
        let column = (place.x + 30.0).floor();
        if !(0.0..GROUND[0] as f32).contains(&column) {
            return;
        }
        let column = column as usize;
        let top = (0..GROUND[1]).rev();
        let mut solid = top.filter(|&row| self.ground.get([column, row]) == Tile::Solid);
        if let Some(row) = solid.next() {
            self.ground.set([column, row], Tile::Empty);
            self.score[player] += 10;
        }
    }
}

impl Peer {
    fn new(player: usize) -> Result<Self, Box<dyn Error>> {
        let socket = UdpSocket::bind("127.0.0.1:0")?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            player,
            socket,
            game: Rollback::new(game(), KEPT),
            outbox: Vec::new(),
            repeated: 0,
        })
    }

    /// Makes a frame with the player's own turn. That of the other player is predicted to be none.
    fn advance(&mut self) {
        let frame = self.game.next_frame();
        let turn = turn_of(self.player, frame);
        let mut input = Input::default();
        input[self.player] = turn;
        self.game.advance(input, play);
        let mut packet = [0; 13];
        packet[..8].copy_from_slice(&frame.to_le_bytes());
        packet[8..12].copy_from_slice(&turn.kick.to_le_bytes());
        packet[12] = turn.digs.into();
        self.outbox
            .push((frame + delay_of(self.player, frame), packet));
    }

    /// Sends the packets whose time has come, each twice.
    fn send(&mut self, now: u64) -> std::io::Result<()> {
        let (due, later) = self
            .outbox
            .iter()
            .partition::<Vec<_>, _>(|(leaves, _)| *leaves <= now);
        for (_, packet) in due {
            self.socket.send(&packet)?;
            self.socket.send(&packet)?;
        }
        self.outbox = later;
        Ok(())
    }

    /// Takes the packets that have arrived, and repeats the frames that were predicted wrongly.
    fn receive(&mut self) -> Result<usize, Box<dyn Error>> {
        let other = 1 - self.player;
        let (mut packet, mut arrived) = ([0; 13], 0);
        while self.socket.recv(&mut packet).is_ok() {
            arrived += 1;
            let frame = u64::from_le_bytes(packet[..8].try_into()?);
            let turn = Turn {
                kick: f32::from_le_bytes(packet[8..12].try_into()?),
                digs: packet[12] != 0,
            };
            // A frame that is no longer kept, or not made yet, cannot belong to a late packet of this game.
            let Some(mut input) = self.game.input(frame).copied() else {
                return Err(format!("frame {frame} came too late or too early").into());
            };
            if input[other] != turn {
                input[other] = turn;
                self.game.set_input(frame, input)?;
            }
        }
        self.repeated += self.game.repeat(play);
        Ok(arrived)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut peers = [Peer::new(0)?, Peer::new(1)?];
    peers[0].socket.connect(peers[1].socket.local_addr()?)?;
    peers[1].socket.connect(peers[0].socket.local_addr()?)?;
    // Both in one thread, frame by frame: the network is real, the lateness is made.
    let mut missing = [0_usize; 2];
    for now in 0..FRAMES + LATE {
        for (peer, missing) in peers.iter_mut().zip(&mut missing) {
            if now < FRAMES {
                peer.advance();
                *missing += 2;
            }
        }
        for peer in &mut peers {
            peer.send(now)?;
        }
        for (peer, missing) in peers.iter_mut().zip(&mut missing) {
            *missing -= peer.receive()?;
        }
    }
    let ends = [&peers[0], &peers[1]].map(|peer| peer.game.state());
    let hashes = ends.map(Game::hash);
    let scores = ends.map(|game| game.score);
    let repeated = [&peers[0], &peers[1]].map(|peer| peer.repeated);
    println!(
        "{FRAMES} frames, {repeated:?} repeated, {missing:?} packets lost, scores {scores:?}, hashes {hashes:016x?}"
    );
    if missing != [0; 2] {
        return Err("packets were lost on the loopback interface".into());
    }
    if hashes[0] != hashes[1] {
        return Err("the peers differ".into());
    }
    if scores[0].iter().any(|&points| points < 10) {
        return Err("a player has dug nothing".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn peers_end_with_the_same_bits() {
        super::main().unwrap();
    }
}
