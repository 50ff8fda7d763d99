//! Two peers play one game over UDP on the loopback interface. Inputs arrive late and out of order, and some twice; both
//! predict, roll back and end with the same bits.

use cairn2d::Rollback;
use cairn2d::prelude::*;
use std::error::Error;
use std::net::UdpSocket;

/// Frames of the game.
const FRAMES: u64 = 240;

/// Most frames by which an input is late, and frames that a peer can repeat: one more is on its way.
const LATE: u64 = 7;
const KEPT: usize = 2 * LATE as usize;

const DT: f32 = 1.0 / 60.0;

/// The kicks of both players in a frame [N s].
type Input = [f32; 2];

/// Everything that a frame reads and changes.
#[derive(Clone)]
struct Game {
    world: World,
    balls: [BodyId; 2],
    /// Touches of each ball so far.
    touches: [u32; 2],
}

/// One player's computer.
struct Peer {
    player: usize,
    socket: UdpSocket,
    game: Rollback<Input, Game>,
    /// Packets that are still on their way: the frame in which they leave, and their bytes.
    outbox: Vec<(u64, [u8; 12])>,
    repeated: usize,
}

/// Makes the game: a ball for each player among boxes.
fn game() -> Game {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    world.create_shape(ground, Polygon::rectangle(30.0, 1.0), ShapeDef::default());
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
    Game {
        world,
        balls,
        touches: [0; 2],
    }
}

/// The kick of a player in a frame: toward the boxes, now and then.
fn kick_of(player: usize, frame: u64) -> f32 {
    let toward = if player == 0 { 1.0 } else { -1.0 };
    let kicks = (frame + 11 * player as u64).is_multiple_of(23);
    if kicks { 6.0 * toward } else { 0.0 }
}

/// Delay of the packet of a frame [frames]: out of order.
fn delay_of(player: usize, frame: u64) -> u64 {
    (5 * frame + 3 * player as u64) % (LATE + 1)
}

/// A frame of the game.
fn play(game: &mut Game, input: &Input) {
    for (ball, kick) in game.balls.into_iter().zip(input) {
        game.world.body_mut(ball).apply_impulse(vec2(*kick, 0.0));
    }
    game.world.step(DT);
    for (ball, touches) in game.balls.into_iter().zip(&mut game.touches) {
        let begins = game.world.contact_begins().iter();
        *touches += begins.filter(|begin| begin.other(ball).is_some()).count() as u32;
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

    /// Makes a frame with the own kick; that of the other player is predicted to be none.
    fn advance(&mut self) {
        let frame = self.game.next_frame();
        let kick = kick_of(self.player, frame);
        let mut input = [0.0; 2];
        input[self.player] = kick;
        self.game.advance(input, play);
        let mut packet = [0; 12];
        packet[..8].copy_from_slice(&frame.to_le_bytes());
        packet[8..].copy_from_slice(&kick.to_le_bytes());
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
        let (mut packet, mut arrived) = ([0; 12], 0);
        while self.socket.recv(&mut packet).is_ok() {
            arrived += 1;
            let [frame, kick] = [&packet[..8], &packet[8..]];
            let frame = u64::from_le_bytes(frame.try_into()?);
            let kick = f32::from_le_bytes(kick.try_into()?);
            // A frame that is no longer kept, or not made yet, cannot belong to a late packet of this game.
            let Some(mut input) = self.game.input(frame).copied() else {
                return Err(format!("frame {frame} came too late or too early").into());
            };
            if input[other] != kick {
                input[other] = kick;
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
    let hashes = ends.map(|game| game.world.state_hash());
    let touches = ends.map(|game| game.touches);
    let repeated = [&peers[0], &peers[1]].map(|peer| peer.repeated);
    println!(
        "{FRAMES} frames, {repeated:?} repeated, {missing:?} packets lost, touches {touches:?}, hashes {hashes:016x?}"
    );
    if missing != [0; 2] {
        return Err("packets were lost on the loopback interface".into());
    }
    if hashes[0] != hashes[1] || touches[0] != touches[1] {
        return Err("the peers differ".into());
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
